/** Drawings whose times are kept. */
const kept = 512;

/**
 * How long drawing takes, and whether it keeps up with the scans. A drawing shows the newest scan that has come until it
 * begins. Tests read the figures at the canvas of the scan, in `data-drawn`, `data-skipped`, `data-most-behind`,
 * `data-kept-up` and `data-median-ms`. These attributes are set once a second.
 */
export class DrawingTimes {
  readonly #times = new Float32Array(kept);
  readonly #behind = new Uint16Array(kept);
  #drawn = 0;
  #skipped = 0;

  /**
   * Notes a drawing.
   * @param ms it took
   * @param scans that have come since the one before
   * @param behind scans that the scanner has measured since the one that is drawn
   */
  add(ms: number, scans: number, behind: number): void {
    this.#times[this.#drawn % kept] = ms;
    this.#behind[this.#drawn % kept] = behind;
    this.#drawn++;
    this.#skipped += Math.max(0, scans - 1);
  }

  get drawn(): number {
    return this.#drawn;
  }

  /** Scans that were never drawn, because a newer one had come. */
  get skipped(): number {
    return this.#skipped;
  }

  /** How many scans the picture was behind the scanner at most, in the last drawings: 10 s at 50 Hz. */
  get mostBehind(): number {
    return Math.max(...this.#behind);
  }

  /** The part of the last drawings that were at most one scan behind the scanner; 1 before the first. */
  get keptUp(): number {
    const count = Math.min(this.#drawn, kept);
    if (count === 0) return 1;
    return this.#behind.slice(0, count).filter((behind) => behind <= 1).length / count;
  }

  /** ms a drawing, in the median of the last ones; 0 before the first. */
  get median(): number {
    const count = Math.min(this.#drawn, kept);
    return this.#times.slice(0, count).sort()[count >> 1] ?? 0;
  }
}

/** ms after which the quickest way of a scan is looked for anew: clocks drift, and the clock of a scanner can be set. */
const renewAfter = 5000;

/**
 * How far the picture is behind what the scanner measures, on the whole way: the scanner, the network, and the work here. The
 * clocks of the scanner and of the browser differ. The scan that came quickest within the last seconds tells by how much.
 */
export class ScanDelay {
  /** ms from the clock of the scanner to that of the browser, of the quickest scan. */
  #offset = Number.POSITIVE_INFINITY;
  #offsetBefore = Number.POSITIVE_INFINITY;
  #renewAt = Number.NEGATIVE_INFINITY;
  #number = 0;
  /** ms, when the newest scan was measured, by the clock of the scanner. */
  #measured = Number.NaN;
  /** ms from one scan to the next; 0 until it is known. */
  #period = 0;

  /** Notes a scan that has come. @param time of its first beam, µs by the scanner @param now ms by the browser */
  arrived(number: number, time: number, now: number): void {
    const measured = time / 1000;
    if (now >= this.#renewAt) {
      this.#offsetBefore = this.#offset;
      this.#offset = Number.POSITIVE_INFINITY;
      this.#renewAt = now + renewAfter;
    }
    this.#offset = Math.min(this.#offset, now - measured);
    const period = (measured - this.#measured) / (number - this.#number);
    if (period > 0 && Number.isFinite(period)) this.#period = period;
    this.#number = number;
    this.#measured = measured;
  }

  /** Whole scans that the scanner has measured since the newest one that came. @param now ms by the browser */
  behind(now: number): number {
    if (this.#period === 0) return 0;
    const age = now - this.#measured - Math.min(this.#offset, this.#offsetBefore);
    return Math.max(0, Math.floor(age / this.#period));
  }
}
