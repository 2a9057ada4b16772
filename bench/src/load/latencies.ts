const finest = 1000;
const longest = 1000;

/** Counts latencies in steps of a microsecond, up to one second; longer ones count as one second. */
export class Latencies {
  readonly #counts = new Uint32Array(longest * finest + 1);
  #total = 0;

  /** Milliseconds. */
  add(latency: number): void {
    const step = Math.min(Math.round(latency * finest), longest * finest);
    this.#counts[step] = (this.#counts[step] ?? 0) + 1;
    this.#total++;
  }

  get total(): number {
    return this.#total;
  }

  clear(): void {
    this.#counts.fill(0);
    this.#total = 0;
  }

  /** Milliseconds that this share (0 to 1) of all latencies does not exceed; NaN if there are none. */
  quantile(share: number): number {
    if (this.#total === 0) return Number.NaN;
    let left = Math.ceil(this.#total * share);
    for (let step = 0; step < this.#counts.length; step++) {
      left -= this.#counts[step] ?? 0;
      if (left <= 0) return step / finest;
    }
    return longest;
  }
}
