/** Drawings whose times are kept. */
const kept = 512;

/**
 * How long drawing takes, and whether it keeps up with the scans. Tests read it at the canvas of the scan, in `data-drawn`,
 * `data-skipped`, `data-most-behind` and `data-median-ms`. These attributes are set once a second.
 */
export class DrawingTimes {
  readonly #times = new Float32Array(kept);
  readonly #behind = new Uint16Array(kept);
  #drawn = 0;
  #skipped = 0;

  /** Notes a drawing. @param ms it took @param scans that have come since the one before */
  add(ms: number, scans: number): void {
    this.#times[this.#drawn % kept] = ms;
    const behind = Math.max(0, scans - 1);
    this.#behind[this.#drawn % kept] = behind;
    this.#drawn++;
    this.#skipped += behind;
  }

  get drawn(): number {
    return this.#drawn;
  }

  /** Scans that were never drawn, because a newer one had come. */
  get skipped(): number {
    return this.#skipped;
  }

  /** How many scans the picture was behind at most, in the last drawings: 10 s at 50 Hz. */
  get mostBehind(): number {
    return Math.max(...this.#behind);
  }

  /** ms a drawing, in the median of the last ones; 0 before the first. */
  get median(): number {
    const count = Math.min(this.#drawn, kept);
    return this.#times.slice(0, count).sort()[count >> 1] ?? 0;
  }
}
