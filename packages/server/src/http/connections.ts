import type { Socket } from 'node:net';

/** How many connections above the limit may wait for their refusal at the same time, and for how long (ms). */
const mostRefused = 64;
const refusalTime = 5000;

/** Counts connections; those above the limit are only good for a refusal. */
export class Connections {
  readonly #limit: number;
  readonly #open = new Set<Socket>();
  readonly #refused = new Set<Socket>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(socket: Socket): void {
    if (this.#open.size < this.#limit) {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
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

  isRefused(socket: Socket): boolean {
    return this.#refused.has(socket);
  }
}
