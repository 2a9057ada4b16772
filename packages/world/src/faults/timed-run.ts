import type { Clock } from '@azimuth/device';
import type { TimedKind } from './device-effects.js';
import type { RunOf } from './runs.js';

/** Begins and ends a timed fault on a clock, as often as it repeats. */
export class TimedRun {
  readonly run: RunOf<TimedKind>;
  readonly #clock: Clock;
  readonly #begin: () => (() => void) | undefined;
  readonly #origin: number;
  #cancelBegin: (() => void) | undefined;
  #cancelEnd: (() => void) | undefined;
  #end: (() => void) | undefined;

  /** @param begin begins the fault, and returns a function that ends it; undefined if there is nothing to end */
  constructor(run: RunOf<TimedKind>, clock: Clock, begin: () => (() => void) | undefined) {
    this.run = run;
    this.#clock = clock;
    this.#begin = begin;
    this.#origin = clock.monotonic() + run.fault.at;
    this.#schedule(this.#origin);
  }

  /** Does it never begin again, and is nothing left to end? */
  get isOver(): boolean {
    return this.#cancelBegin === undefined && this.#end === undefined;
  }

  /** Ends it for good. */
  clear(): void {
    this.#cancelBegin?.();
    this.#cancelBegin = undefined;
    this.#endNow();
  }

  #schedule(at: number): void {
    this.#cancelBegin = this.#clock.after(Math.max(0, at - this.#clock.monotonic()), () => this.#due(at));
  }

  #due(at: number): void {
    const { fault } = this.run;
    this.#cancelBegin = undefined;
    const happens = this.run.counts();
    const { repeat, first, after } = fault;
    if (repeat !== undefined && (first === undefined || this.run.occasions < after + first)) {
      this.#schedule(at + repeat);
    }
    if (!happens) return;
    // A fault without an end that begins again goes on.
    if (this.#end !== undefined) return;
    this.#end = this.#begin();
    if (this.#end === undefined || fault.for === undefined) return;
    this.#cancelEnd = this.#clock.after(fault.for, () => this.#endNow());
  }

  #endNow(): void {
    const end = this.#end;
    this.#cancelEnd?.();
    this.#cancelEnd = undefined;
    this.#end = undefined;
    end?.();
  }
}
