import type { Socket } from 'node:net';
import { ConnectionStates } from './connection.js';
import {
  mostConnectionsForProbes,
  mostHalfOpenConnections,
  mostRefusedConnections,
  refusedConnectionTime,
} from './limits.js';
import { AddressShares, clientOf } from './network/address-shares.js';

/** Rules for closing connections to make room for new ones, and for connections above the limit. */
interface EvictionPolicy {
  /** True if a connection is unused between two requests, too; false if it is unused only until its first request. */
  readonly betweenRequests: boolean;
  /** Number of unused connections above which the oldest of them makes room. */
  readonly mostUnused: number;
  /** Number of connections above the limit that may wait for their refusal at the same time. */
  readonly mostRefused: number;
  /**
   * True if the oldest waiting refusal is closed for a further connection. Otherwise, the further connection is closed.
   */
  readonly replacesRefused: boolean;
}

/**
 * Rules for the ports of a scanner. A client that opens thousands of connections without a request loses only its own.
 * Other connections are never closed for a new one.
 */
const untilFirstRequest: EvictionPolicy = {
  betweenRequests: false,
  mostUnused: mostHalfOpenConnections,
  mostRefused: mostRefusedConnections,
  replacesRefused: false,
};

/**
 * Rules for ports that many share. The connection that has been without a request for the longest time makes room.
 * Connections above the limit may only probe the state of the port, so that a monitor does not take a full port for a
 * dead one.
 */
export const betweenRequests: EvictionPolicy = {
  betweenRequests: true,
  mostUnused: 0,
  mostRefused: mostConnectionsForProbes,
  replacesRefused: true,
};

/** The connections of all listeners of a port. Connections above the limit only get a refusal. */
export class Connections extends ConnectionStates {
  readonly #limit: number;
  readonly #eviction: EvictionPolicy;
  readonly #open = new Set<Socket>();
  readonly #shares = new AddressShares<Socket>();
  /** Open connections without a request, oldest first. */
  readonly #unused = new Set<Socket>();
  /** Connections above the limit, oldest first. */
  readonly #refused = new Set<Socket>();

  /** @param failed gets the error of a waiting request */
  constructor(limit: number, failed: (error: unknown) => void, giving: EvictionPolicy = untilFirstRequest) {
    super(failed);
    this.#limit = limit;
    this.#eviction = giving;
  }

  /** Registers a new connection. */
  add(socket: Socket): void {
    const client = clientOf(socket.remoteAddress);
    if (this.#open.size >= this.#limit) this.#closeOldestUnused();
    if (this.#open.size >= this.#limit) this.#closeOneOfTheLargest(client);
    if (this.#open.size < this.#limit) {
      this.#open.add(socket);
      this.#shares.add(socket, client);
      this.#watchUse(socket);
      this.#allowManyListeners(socket);
      socket.once('close', () => this.#forget(socket));
    } else this.#addRefused(socket);
  }

  /** Moves the state of a connection that is encrypted from now on to the socket that carries the decrypted content. */
  encrypted(connection: Socket, content: Socket): void {
    if (this.#open.delete(connection)) this.#open.add(content);
    if (this.#unused.delete(connection)) this.#watchUse(content);
    if (this.#refused.delete(connection)) this.#registerRefused(content);
    if (this.#shares.delete(connection)) this.#shares.add(content, clientOf(content.remoteAddress));
    this.#allowManyListeners(content);
    content.once('close', () => {
      this.#forget(content);
      this.#refused.delete(content);
    });
  }

  /**
   * Marks a connection as unused until the headers of a request are complete. Depending on the rules, it is unused
   * again after the response.
   */
  #watchUse(socket: Socket): void {
    const connection = this.of(socket);
    this.#unused.add(socket);
    connection.used = (response) => {
      this.#unused.delete(socket);
      if (!this.#eviction.betweenRequests) connection.used = undefined;
      else
        response?.once('close', () => {
          if (this.#open.has(socket) && !connection.isResponding) this.#unused.add(socket);
        });
    };
  }

  #registerRefused(socket: Socket): void {
    this.#refused.add(socket);
    this.of(socket).isRefused = true;
  }

  /**
   * Allows any number of listeners at a socket. Many scanners may respond on one connection, and each listens for its
   * end.
   */
  #allowManyListeners(socket: Socket): void {
    if (this.#eviction.betweenRequests) socket.setMaxListeners(0);
  }

  #addRefused(socket: Socket): void {
    const { mostRefused, replacesRefused } = this.#eviction;
    if (this.#refused.size >= mostRefused) {
      const [oldest] = this.#refused;
      if (!replacesRefused || oldest === undefined) {
        socket.destroy();
        return;
      }
      this.#refused.delete(oldest);
      oldest.destroy();
    }
    this.#registerRefused(socket);
    // A refused connection that sends no request gets no response, and is closed after this time.
    const timer = setTimeout(() => socket.destroy(), refusedConnectionTime);
    socket.once('close', () => {
      clearTimeout(timer);
      this.#refused.delete(socket);
    });
  }

  #closeOldestUnused(): void {
    if (this.#unused.size <= this.#eviction.mostUnused) return;
    const [oldest] = this.#unused;
    if (oldest !== undefined) this.#close(oldest);
  }

  /**
   * Closes a connection of the client that has the most, if the new client has fewer: the oldest idle one, or the
   * oldest if none is idle.
   */
  #closeOneOfTheLargest(newcomer: string): void {
    const theirs = [...this.#shares.largest(newcomer)];
    const isIdle = (socket: Socket) => !this.of(socket).isResponding;
    const idle = this.#eviction.betweenRequests ? undefined : theirs.find(isIdle);
    const closed = idle ?? theirs[0];
    if (closed !== undefined) this.#close(closed);
  }

  #close(socket: Socket): void {
    this.#forget(socket);
    socket.destroy();
  }

  #forget(socket: Socket): void {
    this.#shares.delete(socket);
    this.#open.delete(socket);
    this.#unused.delete(socket);
  }
}
