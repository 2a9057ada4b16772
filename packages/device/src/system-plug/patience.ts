import { inTime } from '@azimuth/async';
import type { Clock } from '../interfaces/clock.js';
import { PlugFailure, type SystemPlug } from '../interfaces/system-plug.js';

/** How long (ms) a save or a boot waits for a plug that does not answer. */
export const plugPatience = 5000;

/** Accesses to system plugs that end in time, even if a plug never answers. */
export class Patience {
  readonly #clock: Clock;
  readonly #answersLate: () => void;
  readonly #silent = new WeakSet<SystemPlug>();

  /** @param answersLate called when a plug answers after its time */
  constructor(clock: Clock, answersLate: () => void) {
    this.#clock = clock;
    this.#answersLate = answersLate;
  }

  /**
   * Uses a plug.
   * @throws PlugFailure if it does not answer in time, and at once as long as an earlier answer is missing; else what `use`
   * rejects with
   */
  async for<T>(plug: SystemPlug, use: () => Promise<T>): Promise<T> {
    if (this.#silent.has(plug)) throw new PlugFailure('the plug still does not answer');
    // A plug in plain JavaScript may return anything.
    const answer = Promise.resolve(use());
    const answered = () => {
      if (this.#silent.delete(plug)) this.#answersLate();
    };
    answer.then(answered, answered);
    const late = () => {
      this.#silent.add(plug);
      throw new PlugFailure(`the plug has not answered for ${plugPatience / 1000} s`);
    };
    return inTime(plugPatience, answer, late, (time, act) => this.#clock.after(time, act));
  }
}
