import type { Clock } from '../interfaces/environment.js';

/** A single callback that is due in the future, or none. */
export class Timeout {
  readonly #clock: Clock;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isSet(): boolean {
    return this.#cancel !== undefined;
  }

  /** Calls back in this many ms, instead of an earlier callback. Never for Infinity. */
  set(milliseconds: number, callback: () => void): void {
    this.stop();
    if (milliseconds === Number.POSITIVE_INFINITY) return;
    this.#cancel = this.#clock.after(Math.max(0, milliseconds), () => {
      this.#cancel = undefined;
      callback();
    });
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
