import type { Clock } from '../interfaces/environment.js';

/** Maximum number of late pulses that are still made. If more are late, they are skipped. */
const mostLate = 10;

/**
 * Calls its listeners at a constant frequency. Each time is computed from the first pulse, so the frequency is as exact
 * as the clock. Without listeners no timer runs.
 */
export class Pulse<T> {
  readonly #clock: Clock;
  /** ms. */
  readonly #period: number;
  readonly #make: (due: number) => T;
  readonly #listeners = new Set<(value: T) => void>();
  #cancel: (() => void) | undefined;
  #paused = false;

  /**
   * @param make makes the value for the listeners, once for all of them. Its argument is the due time of the pulse, in
   * ms of the monotonic clock: the timer may be late
   */
  constructor(clock: Clock, frequency: number, make: (due: number) => T) {
    this.#clock = clock;
    this.#period = 1000 / frequency;
    this.#make = make;
  }

  /** Calls `listener` at every pulse from now on. Returns a function that ends it. */
  watch(listener: (value: T) => void): () => void {
    this.#listeners.add(listener);
    this.#startOrStop();
    return () => {
      this.#listeners.delete(listener);
      this.#startOrStop();
    };
  }

  /** Stops the pulses until `resume`. */
  pause(): void {
    this.#paused = true;
    this.#startOrStop();
  }

  resume(): void {
    this.#paused = false;
    this.#startOrStop();
  }

  #startOrStop(): void {
    const wanted = !this.#paused && this.#listeners.size > 0;
    if (wanted === (this.#cancel !== undefined)) return;
    this.#cancel?.();
    this.#cancel = wanted ? this.#schedule(this.#clock.monotonic() + this.#period) : undefined;
  }

  #schedule(due: number): () => void {
    return this.#clock.after(Math.max(0, due - this.#clock.monotonic()), () => {
      const now = this.#clock.monotonic();
      const late = Math.floor((now - due) / this.#period);
      const at = due + this.#period * (late > mostLate ? late : 0);
      this.#cancel = this.#schedule(at + this.#period);
      const value = this.#make(at);
      for (const listener of this.#listeners) listener(value);
    });
  }
}
