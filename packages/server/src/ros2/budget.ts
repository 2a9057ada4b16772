import type { Clock } from '@azimuth/device';

/** An amount that may be spent in each second. After a pause, a second's worth may be spent at once. */
export class Budget {
  readonly #clock: Clock;
  readonly #perSecond: number;
  #left: number;
  #at: number;

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#left = perSecond;
    this.#at = clock.monotonic();
  }

  /** Spends an amount. Returns false, and spends nothing, if there is not enough. */
  spend(amount: number): boolean {
    const now = this.#clock.monotonic();
    this.#left = Math.min(this.#perSecond, this.#left + ((now - this.#at) / 1000) * this.#perSecond);
    this.#at = now;
    if (amount > this.#left) return false;
    this.#left -= amount;
    return true;
  }
}
