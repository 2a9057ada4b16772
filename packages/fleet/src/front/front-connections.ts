import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';
import { AddressShares, clientOf } from '@azimuth/http';

/** Connections beside those that there may be, for probes alone, and ms that each of them may take. */
const mostForProbes = 16;
const probedWithin = 5000;

/**
 * The connections of the port of a fleet. While there are as many as there may be, a new one takes the place of the one that
 * has been without a request for the longest time: whoever opens thousands of them and asks nothing loses only those. If
 * all have a request under way, the address that has the most loses its oldest one to an address that has fewer. If there is none,
 * the new one may only ask how the fleet is: whoever watches over it must not take a full one for a dead one.
 */
export class FrontConnections {
  readonly #most: number;
  readonly #open = new Set<Duplex>();
  readonly #shares = new AddressShares<Duplex>();
  /** Those without a request under way, the oldest first. */
  readonly #unused = new Set<Duplex>();
  /** The oldest first. */
  readonly #forProbes = new Set<Duplex>();

  /** @param most at the same time */
  constructor(most: number) {
    this.#most = most;
  }

  watch(server: Server | SecureServer): void {
    // Behind TLS, requests come by another socket than that which was accepted.
    const opened = server instanceof TlsServer ? 'secureConnection' : 'connection';
    server.on(opened, (socket: Duplex) => this.#add(socket));
    server.on('upgrade', (_: IncomingMessage, socket: Duplex) => this.#unused.delete(socket));
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.#unused.delete(socket);
      response.once('close', () => {
        if (this.#open.has(socket)) this.#unused.add(socket);
      });
    });
  }

  /** May only probes be answered on this connection? */
  isForProbes(socket: Duplex): boolean {
    return this.#forProbes.has(socket);
  }

  /** Closes all of them. */
  close(): void {
    for (const socket of [...this.#open, ...this.#forProbes]) socket.destroy();
  }

  #add(socket: Duplex): void {
    const client = clientOf(socket instanceof Socket ? socket.remoteAddress : undefined);
    if (this.#open.size >= this.#most && !this.#makeRoom(client)) {
      this.#addForProbes(socket);
      return;
    }
    // Many scanners answer on one connection, and each wants to know of its end.
    socket.setMaxListeners(0);
    this.#open.add(socket);
    this.#shares.add(socket, client);
    this.#unused.add(socket);
    socket.once('close', () => this.#forget(socket));
  }

  #addForProbes(socket: Duplex): void {
    const [oldest] = this.#forProbes;
    if (oldest !== undefined && this.#forProbes.size >= mostForProbes) {
      this.#forProbes.delete(oldest);
      oldest.destroy();
    }
    this.#forProbes.add(socket);
    const limit = setTimeout(() => socket.destroy(), probedWithin).unref();
    socket.once('close', () => {
      clearTimeout(limit);
      this.#forProbes.delete(socket);
    });
  }

  #makeRoom(newcomer: string): boolean {
    const [oldest] = this.#unused.size > 0 ? this.#unused : this.#shares.largest(newcomer);
    if (oldest === undefined) return false;
    this.#forget(oldest);
    oldest.destroy();
    return true;
  }

  #forget(socket: Duplex): void {
    this.#open.delete(socket);
    this.#shares.delete(socket);
    this.#unused.delete(socket);
  }
}
