import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

const overfull = new Set<Duplex>();

/** This connection has brought too much: nothing that comes behind what was refused is wanted. */
export function noteOverfull(connection: Duplex): void {
  if (connection.destroyed) return;
  overfull.add(connection);
  connection.once('close', () => overfull.delete(connection));
}

/** Is nothing more of what this connection has brought wanted? */
export function isUnwanted(connection: Duplex): boolean {
  return connection.destroyed || (overfull.size > 0 && overfull.has(connection));
}

/** How many connections above the limit may wait for their refusal at the same time, and for how long (ms). */
const mostRefused = 64;
const refusalTime = 5000;

/** As many open connections may be half-open (not have asked anything yet) before the oldest make room for others. */
const mostHalfOpen = 64;

/** Counts connections; those above the limit are only good for a refusal. */
export class Connections {
  readonly #limit: number;
  readonly #open = new Set<Socket>();
  /** Those of the open ones that have not sent the headers of a first request, the oldest first. */
  readonly #halfOpen = new Set<Socket>();
  readonly #refused = new Set<Socket>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(socket: Socket): void {
    if (this.#open.size >= this.#limit) this.#makeRoom();
    if (this.#open.size < this.#limit) {
      this.#open.add(socket);
      this.#halfOpen.add(socket);
      socket.once('close', () => this.#forget(socket));
      return;
    }
    if (this.#refused.size >= mostRefused) {
      socket.destroy();
      return;
    }
    this.#refused.add(socket);
    // A connection that never asks for anything is not told, but it does not stay either.
    const timer = setTimeout(() => socket.destroy(), refusalTime);
    socket.once('close', () => {
      clearTimeout(timer);
      this.#refused.delete(socket);
    });
  }

  /** A connection is encrypted from now on: what is known of it goes for the socket that speaks through it. */
  encrypted(connection: Socket, through: Socket): void {
    for (const known of [this.#open, this.#halfOpen, this.#refused]) {
      if (known.delete(connection)) known.add(through);
    }
    through.once('close', () => {
      this.#forget(through);
      this.#refused.delete(through);
    });
  }

  isRefused(socket: Socket): boolean {
    return this.#refused.size > 0 && this.#refused.has(socket);
  }

  /** The headers of a request have come: from now on the connection stays until it is closed. */
  noteRequest(socket: Socket): void {
    if (this.#halfOpen.size > 0) this.#halfOpen.delete(socket);
  }

  /** Who opens connections by the thousand and asks nothing takes them from nobody but himself. */
  #makeRoom(): void {
    if (this.#halfOpen.size <= mostHalfOpen) return;
    const [oldest] = this.#halfOpen;
    if (oldest === undefined) return;
    this.#forget(oldest);
    oldest.destroy();
  }

  #forget(socket: Socket): void {
    this.#open.delete(socket);
    this.#halfOpen.delete(socket);
  }
}
