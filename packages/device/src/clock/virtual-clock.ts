import type { MovableClock } from '../interfaces/environment.js';
import { Timetable } from './timetable.js';

/** A clock that stops until a test moves it on. */
export class VirtualClock implements MovableClock {
  readonly #timetable = new Timetable();
  readonly #epoch: number;
  readonly #localOffset: number;
  #now = 0;

  /** Starts at this UTC time in ms, with local time ahead by `localOffset` ms. */
  constructor(epoch: number = Date.UTC(2026, 0, 15, 12, 0, 0), localOffset = 0) {
    this.#epoch = epoch;
    this.#localOffset = localOffset;
  }

  monotonic(): number {
    return this.#now;
  }

  utc(): number {
    return this.#epoch + this.#now;
  }

  utcAhead(): number | undefined {
    return this.utc() - this.#now;
  }

  localOffset(): number {
    return this.#localOffset;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const booking = this.#timetable.add(this.#now + milliseconds, callback);
    return () => this.#timetable.remove(booking);
  }

  /** Nothing is ever overdue: a callback runs while the clock is moved on. */
  catchUp(): void {}

  advance(milliseconds: number): void {
    this.advanceTo(this.#now + milliseconds);
  }

  /** Due time of the next callback (ms of `monotonic`). Undefined if there is none. */
  get next(): number | undefined {
    return this.#timetable.next;
  }

  /** Moves on to a time (ms of `monotonic`), as `advance` does. Does nothing for a past time. */
  advanceTo(end: number): void {
    for (;;) {
      const due = this.#timetable.removeDue(end);
      if (due === undefined) break;
      this.#now = Math.max(this.#now, due.at);
      due.callback();
    }
    this.#now = Math.max(this.#now, end);
  }
}
