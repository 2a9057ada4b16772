/** ms: half a microsecond, so that the rounding of the clock starts no timer. */
const tolerance = 0.0005;

/** A boolean that counts only after it has lasted for some time. Times are ms of the monotonic clock. */
export class Debounced {
  #value: boolean;
  /** Since when the raw value has been different. */
  #since: number | undefined;

  constructor(value = false) {
    this.#value = value;
  }

  get value(): boolean {
    return this.#value;
  }

  /**
   * Takes the raw value. Call it whenever the raw value changes, and when the returned time has passed.
   * @param delay ms that a new raw value has to last; Infinity: it never counts
   * @returns ms until the new value counts; Infinity if no change is pending
   */
  follow(raw: boolean, now: number, delay: number): number {
    if (raw === this.#value) {
      this.#since = undefined;
      return Number.POSITIVE_INFINITY;
    }
    this.#since ??= now;
    const wait = this.#since + delay - now;
    if (wait > tolerance) return wait;
    this.#value = raw;
    this.#since = undefined;
    return Number.POSITIVE_INFINITY;
  }
}
