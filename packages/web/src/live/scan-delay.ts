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
