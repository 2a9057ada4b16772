import { isDeepStrictEqual } from 'node:util';
import { atMost } from '@azimuth/async';
import { Timeout } from '../clock/timeout.js';
import type { Clock } from '../interfaces/environment.js';
import { ContainedCall, type Outcome } from './contained-call.js';
import type { Containment } from './contained-sensor.js';

/** ms until a state that could not be set is set again. */
const retryInterval = 1000;

/** ms that the end of the scanner waits for the last call. */
const lastCallLimit = 1000;

/**
 * A member of the hardware that sets a state. It is called with the whole state whenever the wanted state differs from
 * the last one that it has taken. While a call has not ended, no other one is made, and the latest state wins. A state
 * that could not be set is set again every second. A new state is set at once after a failure, but only once a second:
 * what fails may be one state alone, and its failure may change the state (a lamp that shows DeviceStatus).
 */
export class Actuator<State> {
  readonly #call: ContainedCall<State>;
  readonly #clock: Clock;
  readonly #retry: Timeout;
  #taken: State | undefined;
  #wanted: State | undefined;
  #isEnded = false;
  /** Time (ms) at which a new state was last set at once after a failure. */
  #hurriedAt = Number.NEGATIVE_INFINITY;
  #idle: (() => void) | undefined;

  /** @param name of the member @param set looks up the member and calls it */
  constructor(containment: Containment, name: string, set: (state: State) => unknown) {
    this.#call = new ContainedCall(containment, name, set);
    this.#clock = containment.clock;
    this.#retry = new Timeout(containment.clock);
  }

  /** Sets a state. */
  set(state: State): void {
    if (this.#isEnded) return;
    this.#wanted = state;
    this.#follow();
  }

  /** Sets the last state. Resolves when it is set, or has failed to; after a second in any case. */
  async end(state: State): Promise<void> {
    if (!this.#isEnded) this.#wanted = state;
    this.#isEnded = true;
    this.#follow(true);
    this.#retry.stop();
    if (this.#call.isPending) {
      const idle = new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
      await atMost(lastCallLimit, idle);
    }
    this.#call.end();
  }

  /** @param isDue true: also if a call has failed in the last second */
  #follow(isDue = false): void {
    const state = this.#wanted;
    if (state === undefined || this.#call.isPending || isDeepStrictEqual(state, this.#taken)) {
      if (!this.#call.isPending) this.#idle?.();
      return;
    }
    if (!isDue && this.#retry.isSet && !this.#mayHurry()) return;
    this.#retry.stop();
    this.#call.make(state, (outcome) => this.#ended(state, outcome));
  }

  #ended(state: State, outcome: Outcome): void {
    if (outcome === 'late') return;
    // After a failure nobody knows what the hardware shows.
    this.#taken = outcome === 'done' ? state : undefined;
    const isNewer = !isDeepStrictEqual(this.#wanted, state);
    if (outcome !== 'done' && !this.#isEnded) this.#retry.set(retryInterval, () => this.#follow(true));
    if (outcome === 'done' || isNewer) this.#follow();
    else if (this.#isEnded) this.#idle?.();
  }

  #mayHurry(): boolean {
    const now = this.#clock.monotonic();
    if (now - this.#hurriedAt < retryInterval) return false;
    this.#hurriedAt = now;
    return true;
  }
}
