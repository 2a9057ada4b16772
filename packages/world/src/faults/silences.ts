import type { Clock } from '@azimuth/device';
import type { PlannedFault } from '@azimuth/model/faults';
import type { Occurrence } from './occurrence.js';

interface Silence {
  /** Times of the last answered requests, ms of the monotonic clock. */
  readonly answered: number[];
  /** Until when nothing is answered. */
  until: number;
}

/** The silences that follow too many requests, one for each fault. They go on if the plan changes. */
export class Silences {
  readonly #clock: Clock;
  readonly #states = new WeakMap<Occurrence, Silence>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Does the request that has just come get no answer? */
  covers(run: Occurrence, { requests, within, silence }: PlannedFault<'http-silence'>): boolean {
    const now = this.#clock.monotonic();
    const state = this.#states.get(run) ?? { answered: [], until: now };
    this.#states.set(run, state);
    // A silence that has begun lasts its time, also if it is the last one.
    if (now < state.until) return true;
    if (run.state !== 'active') return false;
    while ((state.answered[0] ?? now) <= now - within) state.answered.shift();
    if (state.answered.length < requests) {
      state.answered.push(now);
      return false;
    }
    if (!run.occurs()) return false;
    state.answered.length = 0;
    state.until = now + silence;
    return true;
  }
}
