import type { Clock } from '../interfaces/clock.js';

/** Pulses that may be late and are still made up for; if more are late, they are left out. */
const mostLate = 10;

/**
 * Calls its listeners at a constant frequency. Each pulse is timed from the first one, so the frequency is as exact as the
 * clock. Without listeners no timer runs.
 */
export class Pulse<T> {
  readonly #clock: Clock;
  /** ms. */
  readonly #period: number;
  readonly #make: () => T;
  readonly #listeners = new Set<(value: T) => void>();
  #cancel: (() => void) | undefined;
  #paused = false;

  /** @param make makes the value for the listeners, once for all of them */
  constructor(clock: Clock, frequency: number, make: () => T) {
    this.#clock = clock;
    this.#period = 1000 / frequency;
    this.#make = make;
  }

  /** Calls `listener` at every pulse from now on. Returns a function that ends it. */
  watch(listener: (value: T) => void): () => void {
    this.#listeners.add(listener);
    this.#settle();
    return () => {
      this.#listeners.delete(listener);
      this.#settle();
    };
  }

  /** No pulse comes until `resume`. */
  pause(): void {
    this.#paused = true;
    this.#settle();
  }

  resume(): void {
    this.#paused = false;
    this.#settle();
  }

  #settle(): void {
    const wanted = !this.#paused && this.#listeners.size > 0;
    if (wanted === (this.#cancel !== undefined)) return;
    this.#cancel?.();
    this.#cancel = wanted ? this.#schedule(this.#clock.monotonic() + this.#period) : undefined;
  }

  #schedule(due: number): () => void {
    return this.#clock.after(Math.max(0, due - this.#clock.monotonic()), () => {
      const now = this.#clock.monotonic();
      const late = Math.floor((now - due) / this.#period);
      this.#cancel = this.#schedule(due + this.#period * (late > mostLate ? late + 1 : 1));
      const value = this.#make();
      for (const listener of this.#listeners) listener(value);
    });
  }
}
