import type { Duplex } from 'node:stream';

type Act = () => void;

/** When so many wait, nothing more is read from the connection. */
const fewToRead = 32;

/** As many may wait: what has been read already (64 KiB at a time) may hold many more requests than are wanted. */
export const mostWaiting = 100;

/** What waits for its turn on one connection, which is not read from while many wait. */
export class WaitingActs {
  readonly #connection: Duplex;
  readonly #acts: Act[] = [];
  #isFull = false;
  #isHeld = false;

  constructor(connection: Duplex) {
    this.#connection = connection;
  }

  add(act: Act, refuse: () => void): void {
    if (this.#isFull) return;
    if (this.#acts.length >= mostWaiting) {
      this.#isFull = true;
      refuse();
      return;
    }
    this.#acts.push(act);
    if (this.#acts.length >= fewToRead) this.#hold();
  }

  next(): Act | undefined {
    const act = this.#acts.shift();
    // One that was too full is at its end: nothing behind its last answer is wanted.
    if (this.#acts.length < fewToRead && !this.#isFull) this.#release();
    return act;
  }

  clear(): void {
    this.#acts.length = 0;
    this.#connection.off('resume', this.#pause);
  }

  #hold(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    this.#pause();
    // Node reads on whenever a body is asked for; those of requests that wait in front of others have come already.
    this.#connection.on('resume', this.#pause);
  }

  #release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#connection.off('resume', this.#pause);
    this.#connection.resume();
  }

  readonly #pause = (): void => {
    this.#connection.pause();
  };
}
