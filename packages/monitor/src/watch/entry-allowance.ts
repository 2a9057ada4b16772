/** Entries of one scanner that are logged at once, and the time (ms) after which one more is. */
const atOnce = 500;
const oneMoreAfter = 10_000;

/**
 * Bounds what one scanner can write into the log: values that change all the time must not fill the disk. Conditions
 * are always logged.
 */
export class EntryAllowance {
  #left = atOnce;
  #refilledAt: number;
  #refused = 0;

  constructor(now: number) {
    this.#refilledAt = now;
  }

  /** True if one more entry may be logged. */
  take(now: number): boolean {
    const gained = Math.floor((now - this.#refilledAt) / oneMoreAfter);
    if (gained > 0) {
      this.#left = Math.min(atOnce, this.#left + gained);
      this.#refilledAt += gained * oneMoreAfter;
    }
    if (this.#left === 0) {
      this.#refused++;
      return false;
    }
    this.#left--;
    return true;
  }

  /** Returns the number of refused entries since the last call. */
  takeRefused(): number {
    const refused = this.#refused;
    this.#refused = 0;
    return refused;
  }
}
