import type { Clock } from '../interfaces/clock.js';

/** A clock whose callbacks are run by somebody who takes care of what they throw. */
export class ContainedClock implements Clock {
  readonly #clock: Clock;
  readonly #run: (callback: () => void) => void;

  constructor(clock: Clock, run: (callback: () => void) => void) {
    this.#clock = clock;
    this.#run = run;
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  utc(): number {
    return this.#clock.utc();
  }

  localOffset(utc: number): number {
    return this.#clock.localOffset(utc);
  }

  after(milliseconds: number, callback: () => void): () => void {
    return this.#clock.after(milliseconds, () => this.#run(callback));
  }

  catchUp(): void {
    this.#clock.catchUp();
  }
}
