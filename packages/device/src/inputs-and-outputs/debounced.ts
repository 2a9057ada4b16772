/** ms: what is due within half a microsecond is due. The last bits of a clock must not book a timer. */
const nothing = 0.0005;

/** A truth that counts only once it has lasted. Times are ms of the monotonic clock. */
export class Debounced {
  #counted: boolean;
  /** Since when the other truth has lasted. */
  #since: number | undefined;

  constructor(counted = false) {
    this.#counted = counted;
  }

  get counted(): boolean {
    return this.#counted;
  }

  /**
   * Takes what is true now: to be called whenever that changes, and when the time that it answers has passed.
   * @param delay ms that it has to last, counted from when it was true for the first time; Infinity: it never counts.
   * @returns ms until it counts; Infinity where there is nothing to wait for
   */
  follow(truth: boolean, now: number, delay: number): number {
    if (truth === this.#counted) {
      this.#since = undefined;
      return Number.POSITIVE_INFINITY;
    }
    this.#since ??= now;
    const wait = this.#since + delay - now;
    if (wait > nothing) return wait;
    this.#counted = truth;
    this.#since = undefined;
    return Number.POSITIVE_INFINITY;
  }
}
