import type { WebSocket } from 'ws';

/** ms from one ping to the next. It is the network's time: the scanner's clock may be moved on. */
const interval = 30_000;

/** As many pings in a row may stay without an answer. */
const mostUnanswered = 2;

/** Asks connections whether they are still there, and cuts those off that do not answer: a cable pulled says nothing. */
export class Heartbeat {
  /** With the pings that each has not answered. */
  readonly #unanswered = new Map<WebSocket, number>();
  #timer: NodeJS.Timeout | undefined;
  readonly #contain: (call: () => void) => void;

  /** @param contain runs a round, and takes care of what it throws */
  constructor(contain: (call: () => void) => void) {
    this.#contain = contain;
  }

  add(socket: WebSocket): void {
    const answered = () => this.#unanswered.set(socket, 0);
    answered();
    socket.on('pong', answered);
    socket.once('close', () => {
      socket.off('pong', answered);
      this.#unanswered.delete(socket);
      if (this.#unanswered.size > 0) return;
      clearTimeout(this.#timer);
      this.#timer = undefined;
    });
    this.#timer ??= this.#schedule();
  }

  #schedule(): NodeJS.Timeout {
    return setTimeout(() => this.#contain(() => this.#ping()), interval).unref();
  }

  #ping(): void {
    this.#timer = this.#schedule();
    for (const [socket, unanswered] of this.#unanswered) {
      if (unanswered >= mostUnanswered) {
        socket.terminate();
        continue;
      }
      this.#unanswered.set(socket, unanswered + 1);
      if (socket.readyState === socket.OPEN) socket.ping();
    }
  }
}
