/**
 * The frame numbers of one sender's stream. They rise by one, or in steps where an interval filter passes each n-th
 * scan only; the step is learnt wherever no telegram is missing between two frames.
 */
export class FrameNumbers {
  #last: number | undefined;
  #step = 1;
  #missing = 0;

  /** Telegrams that did not come (or, below 0, came after all) since the frame before. */
  miss(telegrams: number): void {
    this.#missing = Math.max(0, this.#missing + telegrams);
  }

  /** The number of the newest telegram; answers how many frames are lost, or undefined where the counter went back. */
  follow(number: number): number | undefined {
    const last = this.#last;
    if (last === number) return 0;
    this.#last = number;
    const missing = this.#missing;
    this.#missing = 0;
    if (last === undefined) return 0;
    const rise = number - last;
    if (rise < 0) return undefined;
    if (missing === 0) {
      this.#step = rise;
      return 0;
    }
    // A frame that is lost has lost one telegram at least.
    return Math.min(missing, Math.max(0, Math.round(rise / this.#step) - 1));
  }

  /** Begins anew, at a frame of this number. */
  restart(number: number): void {
    this.#last = number;
    this.#missing = 0;
  }
}
