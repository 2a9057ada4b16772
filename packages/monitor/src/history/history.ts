import type { ScannerSnapshot } from '../state/scanner-snapshot.js';
import { type Curve, curves } from './curves.js';
import { type CurvePoint, Series } from './series.js';

/** What is known of one scanner over time: a series for each value that was ever known. */
export type ScannerSeries = ReadonlyMap<Curve['name'], Series>;

/** A curve that a scanner has. */
export type KnownCurve = Pick<Curve, 'name' | 'label' | 'unit'>;

/** The numbers of scanners over time, in bounded memory. */
export class History {
  /** By the names of scanners. */
  readonly #scanners = new Map<string, Map<Curve['name'], Series>>();
  readonly #every: number;

  /** @param interval seconds between two looks at a scanner */
  constructor(interval: number) {
    this.#every = interval * 1000;
  }

  /** Takes the values of now over. @param now ms since 1970-01-01 UTC */
  take(snapshot: ScannerSnapshot, now: number): void {
    const ofScanner = this.#scanners.get(snapshot.name) ?? new Map();
    this.#scanners.set(snapshot.name, ofScanner);
    for (const { name, join, of } of curves) {
      const value = of(snapshot);
      if (value === undefined || !Number.isFinite(value)) continue;
      const series = ofScanner.get(name) ?? new Series(join);
      ofScanner.set(name, series);
      series.add(now, value);
    }
  }

  /** The curves that a scanner has; none for a name that was never watched. */
  curvesOf(scanner: string): readonly KnownCurve[] {
    const known = this.#scanners.get(scanner);
    return curves
      .filter(({ name }) => known?.has(name) === true)
      .map(({ name, label, unit }) => ({ name, label, unit }));
  }

  /**
   * Returns the points of a curve, the oldest first; none if the scanner does not have it.
   * @param now, since ms since 1970-01-01 UTC
   */
  points(scanner: string, curve: string, now: number, since?: number): readonly CurvePoint[] {
    return this.#scanners.get(scanner)?.get(curve)?.points(now, since, this.#every) ?? [];
  }

  /** What is known of a scanner, for a file. */
  seriesOf(scanner: string): ScannerSeries {
    return this.#scanners.get(scanner) ?? new Map();
  }

  /** Takes over what a file knows of a scanner, before anything else is known of it. */
  restore(scanner: string, series: ScannerSeries): void {
    this.#scanners.set(scanner, new Map(series));
  }
}
