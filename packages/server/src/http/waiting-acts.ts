import type { Duplex } from 'node:stream';

type Act = () => void;

/** When so many wait, nothing more is read from the connection. */
const fewToRead = 32;

/** As many may wait: what has been read already (64 KiB at a time) may hold many more requests than are wanted. */
export const mostWaiting = 100;

/** As many on all connections together; while there are more, few may wait on each. */
const mostTogether = 2048;
const fewWhenMany = 4;

/** How many wait on all connections. */
export interface WaitingRoom {
  waiting: number;
}

/** What waits for its turn on one connection, which is not read from while many wait. */
export class WaitingActs {
  readonly #connection: Duplex;
  readonly #room: WaitingRoom;
  readonly #acts: Act[] = [];
  #isFull = false;
  #isHeld = false;

  constructor(connection: Duplex, room: WaitingRoom) {
    this.#connection = connection;
    this.#room = room;
  }

  add(act: Act, refuse: () => void): void {
    if (this.#isFull) return;
    if (this.#acts.length >= (this.#room.waiting < mostTogether ? mostWaiting : fewWhenMany)) {
      this.#isFull = true;
      refuse();
      return;
    }
    this.#acts.push(act);
    this.#room.waiting++;
    if (this.#acts.length >= fewToRead) this.#hold();
  }

  next(): Act | undefined {
    const act = this.#acts.shift();
    if (act !== undefined) this.#room.waiting--;
    // One that was too full is at its end: nothing behind its last answer is wanted.
    if (this.#acts.length < fewToRead && !this.#isFull) this.#release();
    return act;
  }

  clear(): void {
    this.#room.waiting -= this.#acts.length;
    this.#acts.length = 0;
    // What node still finds in what it has read is not wanted.
    this.#isFull = true;
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
