import type { MonitorClock } from '../clock.js';
import { followed } from './asked.js';
import { checkedReading } from './reading.js';

/** Least time (ms) between two takeovers: values that change all the time must not keep the monitor busy. */
const leastPause = 250;

/** Time (ms) for which values are collected: what changes together comes in several messages. */
const collectingTime = 100;

/** Values that have come as events and are not yet taken over: the newest of each variable, checked. */
export class ArrivedEvents {
  readonly #clock: MonitorClock;
  readonly #onArrival: () => void;
  readonly #arrived = new Map<string, { readonly value: unknown; readonly at: number }>();
  #takenAt = Number.NEGATIVE_INFINITY;
  #collectsSince = 0;

  constructor(clock: MonitorClock, onArrival: () => void) {
    this.#clock = clock;
    this.#onArrival = onArrival;
  }

  /** When values are to be taken over: milliseconds since 1970-01-01 UTC; Infinity if there are none. */
  get due(): number {
    if (this.#arrived.size === 0) return Number.POSITIVE_INFINITY;
    return Math.max(this.#takenAt + leastPause, this.#collectsSince + collectingTime);
  }

  /** A value that the interface does not allow is dropped: the next look asks for it, and judges the answer. */
  accept(name: string, json: unknown): void {
    const variable = followed.find((each) => each.name === name);
    const reading = variable && checkedReading(variable, json);
    if (reading?.is !== 'value') return;
    if (this.#arrived.size === 0) this.#collectsSince = this.#clock.now();
    this.#arrived.set(name, { value: reading.value, at: this.#clock.now() });
    this.#onArrival();
  }

  /** Drops values that came before a look asked for their variables. @param times when each answer was awaited */
  dropOlderThan(times: ReadonlyMap<string, { readonly from: number }>): void {
    for (const [name, { at }] of this.#arrived) {
      const from = times.get(name)?.from;
      if (from !== undefined && at < from) this.#arrived.delete(name);
    }
  }

  /** The clock was set back by this many milliseconds. */
  setBack(by: number): void {
    this.#takenAt -= by;
    this.#collectsSince -= by;
    for (const [name, { value, at }] of this.#arrived) this.#arrived.set(name, { value, at: at - by });
  }

  /** Returns the values, and forgets them. */
  take(): readonly { readonly name: string; readonly value: unknown }[] {
    this.#takenAt = this.#clock.now();
    const taken = [...this.#arrived].map(([name, { value }]) => ({ name, value }));
    this.#arrived.clear();
    return taken;
  }
}
