import type { Clock } from '../interfaces/clock.js';

/** Pulses that may come late and still come one by one; what is later than that is left out. */
const latest = 10;

/**
 * Calls back at an even rate while somebody listens. Each pulse is counted from the first one, so that the rate is as
 * good as the clock.
 */
export class Pulse<T> {
  readonly #clock: Clock;
  /** ms. */
  readonly #period: number;
  readonly #make: () => T;
  readonly #listeners = new Set<(value: T) => void>();
  #cancel: (() => void) | undefined;
  #paused = false;

  /** @param make makes what the listeners get, once for all of them. */
  constructor(clock: Clock, frequency: number, make: () => T) {
    this.#clock = clock;
    this.#period = 1000 / frequency;
    this.#make = make;
  }

  /** Calls `listener` at every pulse from now on. Returns how to stop it. */
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
    this.#cancel = wanted ? this.#book(this.#clock.monotonic() + this.#period) : undefined;
  }

  #book(due: number): () => void {
    return this.#clock.after(Math.max(0, due - this.#clock.monotonic()), () => {
      const now = this.#clock.monotonic();
      const late = Math.floor((now - due) / this.#period);
      this.#cancel = this.#book(due + this.#period * (late > latest ? late + 1 : 1));
      const value = this.#make();
      for (const listener of this.#listeners) listener(value);
    });
  }
}
