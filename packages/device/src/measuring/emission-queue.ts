import type { Clock } from '../interfaces/environment.js';
import type { Uptime } from './telegram-time.js';

/** Data that leaves the scanner at a certain time of a scan. */
export interface Emission {
  /** µs from the beginning of the scan. */
  readonly dueAfter: number;
}

/**
 * Emits the data of a scan in order, each item when it is due. Times are those of the scanner's clock; late items go out at
 * once.
 */
export class EmissionQueue<T extends Emission> {
  readonly #clock: Clock;
  readonly #uptime: Uptime;
  readonly #emit: (emission: T) => void;
  #emissions: readonly T[] = [];
  #began = 0;
  #next = 0;
  #cancel: (() => void) | undefined;
  readonly #due = () => this.#emitNext();

  constructor(clock: Clock, uptime: Uptime, emit: (emission: T) => void) {
    this.#clock = clock;
    this.#uptime = uptime;
    this.#emit = emit;
  }

  /**
   * Adds the emissions of a scan that began at `began` (µs). Call `flush` before, to emit the rest of the last scan.
   */
  add(emissions: readonly T[], began: number): void {
    this.#cancel?.();
    this.#emissions = emissions;
    this.#began = began;
    this.#next = 0;
    this.#emitDue();
  }

  /** Emits items that are due, all at once. Call `flush` before. */
  addDue(emissions: readonly T[]): void {
    this.add(emissions, Number.NEGATIVE_INFINITY);
  }

  /** Emits all waiting items. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    for (let emission = this.#removeNext(); emission !== undefined; emission = this.#removeNext()) {
      this.#emit(emission);
    }
  }

  /** Discards all waiting items. */
  clear(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#emissions = [];
  }

  #removeNext(): T | undefined {
    const emission = this.#emissions[this.#next];
    this.#next += 1;
    return emission;
  }

  /** Emits the next item, and others that are due. */
  #emitNext(): void {
    this.#cancel = undefined;
    const emission = this.#removeNext();
    if (emission !== undefined) this.#emit(emission);
    // A receiver may have ended the measuring. A timer may also run already for the emissions of another scan.
    if (this.#cancel === undefined) this.#emitDue();
  }

  #emitDue(): void {
    for (;;) {
      const emission = this.#emissions[this.#next];
      if (emission === undefined) return;
      const wait = this.#began + emission.dueAfter - this.#uptime.microseconds;
      // Half a microsecond, so that the rounding of the clock starts no timer.
      if (wait > 0.5) {
        this.#cancel = this.#clock.after(wait / 1000, this.#due);
        return;
      }
      this.#next += 1;
      this.#emit(emission);
    }
  }
}
