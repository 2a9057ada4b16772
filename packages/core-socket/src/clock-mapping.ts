/** Number of samples that are kept for the offset: with one ping a second, those of the last half minute. */
const mostSamples = 32;
/** Time (ms) of which the best sample becomes an anchor of the rate, and number of anchors. */
const anchorTime = 8000;
const mostAnchors = 16;
/** Time (ms) between two anchors from which on they tell the rate. */
const leastSpan = 8000;
/** Difference of the rates of two clocks before it is known: that of two ordinary quartzes, and its limit. */
const usualDrift = 100e-6;
const mostDrift = 1000e-6;
/** ms by which a sample may contradict the mapping before the clock counts as set. */
const leastStep = 2;

/** An exchange of a ping. All times in ms. */
interface Sample {
  /** The core's clock, from its first sample on. */
  readonly core: number;
  /** The scanner's clock minus the core's, in the middle of the exchange. */
  readonly offset: number;
  /** Maximum error of `offset`: half of the round trip. */
  readonly error: number;
}

/**
 * Maps the monotonic clock of a core to the clock of the scanner. A pong carries the core's time, and the scanner knows
 * that this time lies between ping and pong. The shorter the round trip, the more exact is the sample. So the sample with
 * the least error counts, and the error of a sample grows with its age, by what is not known of the rate.
 */
export class ClockMapping {
  #zero: bigint | undefined;
  #samples: Sample[] = [];
  #anchors: Sample[] = [];
  /** Time at which the newest anchor began. */
  #anchorFrom = 0;
  #best: Sample | undefined;
  /** ms that the scanner's clock gains per ms of the core's, and its uncertainty. */
  #rate = 0;
  #rateError = usualDrift;

  /** True if times can be mapped. */
  get isKnown(): boolean {
    return this.#best !== undefined;
  }

  /** ms per ms by which the scanner's clock is faster than the core's. */
  get drift(): number {
    return this.#rate;
  }

  /** Maximum error (ms) of the mapping at the newest sample. Infinite before the first one. */
  get error(): number {
    const newest = this.#samples.at(-1);
    return newest === undefined || this.#best === undefined
      ? Number.POSITIVE_INFINITY
      : this.#errorAt(this.#best, newest.core);
  }

  /**
   * Adds an exchange.
   * @param sent and @param received ms of the scanner's clock
   * @param time ns of the core's clock, read between them
   * @returns false if one of the clocks was set, so that the mapping begins anew
   */
  add(sent: number, time: bigint, received: number): boolean {
    this.#zero ??= time;
    const core = this.#milliseconds(time);
    const sample = { core, offset: (sent + received) / 2 - core, error: Math.max(0, received - sent) / 2 };
    const isSteady = !this.#contradicts(sample);
    if (!isSteady) this.#forget();
    this.#samples = [...this.#samples, sample].slice(-mostSamples);
    this.#addAnchor(sample);
    this.#measureRate();
    this.#best = this.#samples.reduce((best, other) =>
      this.#errorAt(other, core) <= this.#errorAt(best, core) ? other : best,
    );
    return isSteady;
  }

  /** Returns ms of the scanner's clock for ns of the core's. Only if `isKnown`. */
  scannerTime(time: bigint): number {
    const core = this.#milliseconds(time);
    return core + this.#offsetAt(core);
  }

  /** Returns ns of the core's clock for ms of the scanner's. Only if `isKnown`. */
  coreTime(milliseconds: number): bigint {
    const guess = milliseconds - (this.#best?.offset ?? 0);
    const core = milliseconds - this.#offsetAt(guess);
    return (this.#zero ?? 0n) + BigInt(Math.round(core * 1e6));
  }

  /** ms since the first sample. Exact to a ns for a hundred days. */
  #milliseconds(time: bigint): number {
    return Number(time - (this.#zero ?? 0n)) / 1e6;
  }

  #offsetAt(core: number): number {
    const best = this.#best;
    return best === undefined ? 0 : best.offset + this.#rate * (core - best.core);
  }

  #errorAt({ core, error }: Sample, at: number): number {
    return error + this.#rateError * Math.abs(at - core);
  }

  #contradicts({ core, offset, error }: Sample): boolean {
    if (this.#best === undefined) return false;
    const difference = Math.abs(offset - this.#offsetAt(core));
    return !(difference <= error + this.#errorAt(this.#best, core) + leastStep);
  }

  #forget(): void {
    this.#samples = [];
    this.#anchors = [];
    this.#best = undefined;
    this.#rate = 0;
    this.#rateError = usualDrift;
  }

  /** An anchor is the best sample of some seconds. */
  #addAnchor(sample: Sample): void {
    const newest = this.#anchors.at(-1);
    if (newest === undefined || sample.core - this.#anchorFrom >= anchorTime) {
      this.#anchors = [...this.#anchors, sample].slice(-mostAnchors);
      this.#anchorFrom = sample.core;
    } else if (sample.error <= newest.error) {
      this.#anchors = [...this.#anchors.slice(0, -1), sample];
    }
  }

  #measureRate(): void {
    const first = this.#anchors[0];
    const last = this.#anchors.at(-1);
    if (first === undefined || last === undefined || last.core - first.core < leastSpan) return;
    const span = last.core - first.core;
    const uncertainty = (first.error + last.error) / span;
    // Two quartzes say more than two bad samples.
    if (uncertainty > usualDrift) return;
    this.#rate = Math.max(-mostDrift, Math.min(mostDrift, (last.offset - first.offset) / span));
    this.#rateError = uncertainty;
  }
}
