/** Drawings whose times are kept. */
const kept = 512;

/** How long drawing takes, and whether it keeps up with the scans. */
export class DrawingTimes {
  readonly #times = new Float32Array(kept);
  #drawn = 0;
  #skipped = 0;
  #mostBehind = 0;

  /** Notes a drawing. @param ms it took @param scans that have come since the one before */
  add(ms: number, scans: number): void {
    this.#times[this.#drawn % kept] = ms;
    this.#drawn++;
    const behind = Math.max(0, scans - 1);
    this.#skipped += behind;
    this.#mostBehind = Math.max(this.#mostBehind, behind);
  }

  get drawn(): number {
    return this.#drawn;
  }

  /** Scans that were never drawn, because a newer one had come. */
  get skipped(): number {
    return this.#skipped;
  }

  /** How many scans the picture was behind at most. */
  get mostBehind(): number {
    return this.#mostBehind;
  }

  /** ms a drawing, in the median of the last ones; 0 before the first. */
  get median(): number {
    const count = Math.min(this.#drawn, kept);
    return this.#times.slice(0, count).sort()[count >> 1] ?? 0;
  }
}
