import type { Socket } from 'node:net';
import { KnownConnections } from './connection.js';
import {
  mostConnectionsForProbes,
  mostHalfOpenConnections,
  mostRefusedConnections,
  refusedConnectionTime,
} from './limits.js';
import { AddressShares, clientOf } from './network/address-shares.js';

/** Which connections make room for new ones, and what becomes of those above the limit. */
interface GivingWay {
  /** Is a connection unused between two requests, too, or only until its first one? */
  readonly betweenRequests: boolean;
  /** Only if there are more unused connections, the oldest of them makes room. */
  readonly mostUnused: number;
  /** Connections above the limit that may wait for their refusal at the same time. */
  readonly mostRefused: number;
  /** Is the oldest of them closed for a further one? Otherwise, the further one is. */
  readonly replacesRefused: boolean;
}

/** A client that opens thousands of connections without a request loses only its own. Others are never closed for a new one. */
const untilFirstRequest: GivingWay = {
  betweenRequests: false,
  mostUnused: mostHalfOpenConnections,
  mostRefused: mostRefusedConnections,
  replacesRefused: false,
};

/**
 * For ports that many share: the connection that has been without a request for the longest time makes room. Those above the limit
 * may only ask how the port is: whoever watches over it must not take a full one for a dead one.
 */
export const betweenRequests: GivingWay = {
  betweenRequests: true,
  mostUnused: 0,
  mostRefused: mostConnectionsForProbes,
  replacesRefused: true,
};

/** The connections of all listeners of a port. Connections above the limit only get a refusal. */
export class Connections extends KnownConnections {
  readonly #limit: number;
  readonly #giving: GivingWay;
  readonly #open = new Set<Socket>();
  readonly #shares = new AddressShares<Socket>();
  /** Open connections without a request, the oldest first. */
  readonly #unused = new Set<Socket>();
  /** The oldest first. */
  readonly #refused = new Set<Socket>();

  /** @param failed gets the error of a waiting request */
  constructor(limit: number, failed: (error: unknown) => void, giving: GivingWay = untilFirstRequest) {
    super(failed);
    this.#limit = limit;
    this.#giving = giving;
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
      this.#expectMany(socket);
      socket.once('close', () => this.#forget(socket));
    } else this.#addRefused(socket);
  }

  /** A connection is encrypted from now on. Its state moves to the socket that carries the decrypted content. */
  encrypted(connection: Socket, content: Socket): void {
    if (this.#open.delete(connection)) this.#open.add(content);
    if (this.#unused.delete(connection)) this.#watchUse(content);
    if (this.#refused.delete(connection)) this.#noteRefused(content);
    if (this.#shares.delete(connection)) this.#shares.add(content, clientOf(content.remoteAddress));
    this.#expectMany(content);
    content.once('close', () => {
      this.#forget(content);
      this.#refused.delete(content);
    });
  }

  /** It is unused until the headers of a request are complete, and perhaps again when that is answered. */
  #watchUse(socket: Socket): void {
    const connection = this.of(socket);
    this.#unused.add(socket);
    connection.used = (response) => {
      this.#unused.delete(socket);
      if (!this.#giving.betweenRequests) connection.used = undefined;
      else
        response?.once('close', () => {
          if (this.#open.has(socket) && !connection.isAnswering) this.#unused.add(socket);
        });
    };
  }

  #noteRefused(socket: Socket): void {
    this.#refused.add(socket);
    this.of(socket).isRefused = true;
  }

  /** Many scanners may answer on one connection, and each wants to know of its end. */
  #expectMany(socket: Socket): void {
    if (this.#giving.betweenRequests) socket.setMaxListeners(0);
  }

  #addRefused(socket: Socket): void {
    const { mostRefused, replacesRefused } = this.#giving;
    if (this.#refused.size >= mostRefused) {
      const [oldest] = this.#refused;
      if (!replacesRefused || oldest === undefined) {
        socket.destroy();
        return;
      }
      this.#refused.delete(oldest);
      oldest.destroy();
    }
    this.#noteRefused(socket);
    // A refused connection that sends no request gets no answer, and is closed after this time.
    const timer = setTimeout(() => socket.destroy(), refusedConnectionTime);
    socket.once('close', () => {
      clearTimeout(timer);
      this.#refused.delete(socket);
    });
  }

  #closeOldestUnused(): void {
    if (this.#unused.size <= this.#giving.mostUnused) return;
    const [oldest] = this.#unused;
    if (oldest !== undefined) this.#close(oldest);
  }

  /** A client that keeps all connections loses one to a client that has fewer: the oldest, an idle one if it has any. */
  #closeOneOfTheLargest(newcomer: string): void {
    const theirs = [...this.#shares.largest(newcomer)];
    const isIdle = (socket: Socket) => !this.of(socket).isAnswering;
    const idle = this.#giving.betweenRequests ? undefined : theirs.find(isIdle);
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
