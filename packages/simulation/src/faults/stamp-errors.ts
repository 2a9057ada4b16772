import type { Scan } from '@azimuth/device';
import type { StampFaults } from '@azimuth/device/faults';

/** Numbers of the last scans and corrections that are remembered: telegrams of a scan leave later. */
const remembered = 8;

/** A clock that runs too fast since a time in µs of the scanner's clock. */
interface Skew {
  from: number;
  /** µs that it gains per µs. */
  readonly rate: number;
}

/** The planned errors of the times in telegrams. */
export class StampErrors implements StampFaults {
  readonly #skews = new Set<Skew>();
  /** Times (µs) of the last corrections of the clock, the newest last. The newest one may be in the future. */
  #corrections: readonly number[] = [];
  /** Whole µs, by the number of the scan. */
  readonly #scanErrors = new Map<number, number>();

  /**
   * Lets the clock run too fast.
   * @param from µs of the scanner's clock
   * @returns a function that ends this: the times are right again
   */
  skew(ppm: number, from: number): () => void {
    const skew: Skew = { from, rate: ppm * 1e-6 };
    this.#skews.add(skew);
    return () => this.#skews.delete(skew);
  }

  /** Sets the error of a scan in µs. The times of its beams never become negative. */
  setScanError({ number, time }: Pick<Scan, 'number' | 'time'>, error: number): void {
    this.#scanErrors.set(number, Math.max(Math.round(error), -Math.floor(time)));
    const [oldest] = this.#scanErrors.keys();
    if (oldest !== undefined && this.#scanErrors.size > remembered) this.#scanErrors.delete(oldest);
  }

  scanError({ number }: Pick<Scan, 'number'>): number {
    return this.#scanErrors.get(number) ?? 0;
  }

  clockError(time: number): number {
    if (this.#skews.size === 0) return 0;
    const corrected = this.#corrections.findLast((at) => at <= time) ?? 0;
    let error = 0;
    for (const { from, rate } of this.#skews) error += rate * Math.max(0, time - Math.max(from, corrected));
    return error;
  }

  corrected(from: number): void {
    this.#corrections = [...this.#corrections.filter((at) => at < from), from].slice(-remembered);
  }

  /** Called at a boot: the scanner's clock begins at 0. */
  boot(): void {
    this.#corrections = [];
    this.#scanErrors.clear();
    for (const skew of this.#skews) skew.from = 0;
  }
}
