/** Number of drawings whose times are stored. */
const storedDrawings = 512;

/**
 * Durations of drawings, and delays behind the scans. A drawing shows the newest scan that has arrived when it begins.
 * Tests read the figures at the canvas of the scan, in `data-drawn`, `data-skipped`, `data-most-behind`, `data-kept-up`
 * and `data-median-ms`. These attributes are set once a second.
 */
export class DrawingTimes {
  readonly #times = new Float32Array(storedDrawings);
  readonly #behind = new Uint16Array(storedDrawings);
  #drawings = 0;
  #skipped = 0;

  /**
   * Records a drawing.
   * @param ms its duration
   * @param scans number of scans that have arrived since the drawing before
   * @param behind number of scans that the scanner has measured since the drawn one
   */
  add(ms: number, scans: number, behind: number): void {
    this.#times[this.#drawings % storedDrawings] = ms;
    this.#behind[this.#drawings % storedDrawings] = behind;
    this.#drawings++;
    this.#skipped += Math.max(0, scans - 1);
  }

  get drawings(): number {
    return this.#drawings;
  }

  /** Number of scans that were never drawn, because a newer one had arrived. */
  get skipped(): number {
    return this.#skipped;
  }

  /** Largest number of scans that the picture was behind the scanner, in the stored drawings: 10 s at 50 Hz. */
  get mostBehind(): number {
    return Math.max(...this.#behind);
  }

  /** The part of the last drawings that were at most one scan behind the scanner; 1 before the first. */
  get shareInTime(): number {
    const count = Math.min(this.#drawings, storedDrawings);
    if (count === 0) return 1;
    return this.#behind.slice(0, count).filter((behind) => behind <= 1).length / count;
  }

  /** Median duration of the stored drawings in ms; 0 before the first. */
  get median(): number {
    const count = Math.min(this.#drawings, storedDrawings);
    return this.#times.slice(0, count).sort()[count >> 1] ?? 0;
  }
}

/** ms after which the quickest scan is determined anew: clocks drift, and the clock of a scanner can be set. */
const renewAfter = 5000;

/**
 * Delay of the picture behind the measurement, on the whole way: the scanner, the network, and the work here. The
 * clocks of the scanner and of the browser differ. The quickest scan of the last seconds shows by how much.
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

  /** Records a scan that has arrived. @param time of its first beam, µs by the scanner @param now ms by the browser */
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

  /** Number of scans that the scanner has completed since the newest one that arrived. @param now ms by the browser */
  behind(now: number): number {
    if (this.#period === 0) return 0;
    const age = now - this.#measured - Math.min(this.#offset, this.#offsetBefore);
    return Math.max(0, Math.floor(age / this.#period));
  }
}
