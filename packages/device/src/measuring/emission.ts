import type { Clock } from '../interfaces/clock.js';
import type { Uptime } from './uptime.js';

/** Something that leaves the scanner at a moment of a turn. */
export interface Emission {
  /** µs from the beginning of the turn. */
  readonly dueAfter: number;
}

/**
 * Lets what belongs to a turn out as it falls due, in order. Times are those of the scanner's clock: what is late goes
 * out at once.
 */
export class EmissionQueue<T extends Emission> {
  readonly #clock: Clock;
  readonly #uptime: Uptime;
  readonly #emit: (emission: T) => void;
  #turn: readonly T[] = [];
  #began = 0;
  #next = 0;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, uptime: Uptime, emit: (emission: T) => void) {
    this.#clock = clock;
    this.#uptime = uptime;
    this.#emit = emit;
  }

  /** Takes the emissions of a turn that began at `began` (µs). What is left of the turn before has to be `flush`ed. */
  take(turn: readonly T[], began: number): void {
    this.#cancel?.();
    this.#turn = turn;
    this.#began = began;
    this.#next = 0;
    this.#go();
  }

  /** Lets everything out that waits. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    for (let emission = this.#takeNext(); emission !== undefined; emission = this.#takeNext()) {
      this.#emit(emission);
    }
  }

  /** Forgets what waits. */
  clear(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#turn = [];
  }

  #takeNext(): T | undefined {
    const emission = this.#turn[this.#next];
    this.#next += 1;
    return emission;
  }

  #go(): void {
    this.#cancel = undefined;
    for (;;) {
      const emission = this.#turn[this.#next];
      if (emission === undefined) return;
      const wait = this.#began + emission.dueAfter - this.#uptime.microseconds;
      // Half a microsecond is nothing: the last bits of the clock must not book a timer.
      if (wait > 0.5) {
        this.#cancel = this.#clock.after(wait / 1000, () => this.#go());
        return;
      }
      this.#next += 1;
      this.#emit(emission);
    }
  }
}
