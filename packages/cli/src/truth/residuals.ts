import { type Located, type MeasuredScan, type Placement, PointLocator } from './placement.js';
import type { PoseTrack } from './pose-track.js';
import type { TrueScan } from './true-scan.js';

/** Ranges that cannot be: a point where no beam has an echo. */
const nowhere = Number.POSITIVE_INFINITY;

/** The errors of points, if they were placed in some way. */
export interface Residuals {
  /** m that each point is too far; `nowhere` if no beam has an echo there, NaN in fog. */
  readonly errors: Float64Array;
  /** The beam of each point; it may lie between two. NaN: the point is in the direction of no beam. */
  readonly beams: Float64Array;
  /** m that was measured for each point. */
  readonly ranges: Float64Array;
  /** 1 if the beam of the point has one range: see TrueScan. */
  readonly plain: Uint8Array;
}

/** Measures the points of a scan, if they were placed in some way, one after the other. */
export class PointMeter {
  readonly #scan: MeasuredScan;
  readonly #measured: TrueScan | undefined;
  readonly #locator: PointLocator;
  readonly #located: Located = { beam: 0, range: 0 };
  /** Of the last point: see {@link Residuals}. */
  error = nowhere;
  beam = Number.NaN;
  range = Number.NaN;
  isPlain = false;

  constructor(scan: MeasuredScan, placement: Placement, track: PoseTrack) {
    this.#scan = scan;
    this.#measured = scan.earlier[placement.lag];
    const placed = placement.lagsPoses ? this.#measured : undefined;
    this.#locator = new PointLocator(placement, placed ?? scan.truth, track);
  }

  /** @param at number of the point in its scan */
  measure(at: number): void {
    this.error = nowhere;
    this.beam = Number.NaN;
    this.range = Number.NaN;
    this.isPlain = false;
    const measured = this.#measured;
    if (measured === undefined) return;
    this.#locator.locate(this.#scan.x[at] ?? 0, this.#scan.y[at] ?? 0, this.#located);
    const { beam, range } = this.#located;
    const nearest = measured.nearest(beam);
    if (nearest === undefined) return;
    this.beam = beam;
    this.range = range;
    this.isPlain = measured.isPlain(nearest);
    this.error = this.isPlain ? range - measured.rangeAt(beam) : smallestError(measured, nearest, range);
  }
}

/** Returns the errors of the points of a scan. @param stride only every so many points */
export function residualsOf(
  scan: MeasuredScan,
  placement: Placement,
  track: PoseTrack,
  stride = 1,
): Residuals {
  const count = Math.ceil(scan.x.length / stride);
  const errors = new Float64Array(count);
  const beams = new Float64Array(count);
  const ranges = new Float64Array(count);
  const plain = new Uint8Array(count);
  const meter = new PointMeter(scan, placement, track);
  for (let at = 0; at < count; at++) {
    meter.measure(at * stride);
    errors[at] = meter.error;
    beams[at] = meter.beam;
    ranges[at] = meter.range;
    if (meter.isPlain) plain[at] = 1;
  }
  return { errors, beams, ranges, plain };
}

/** At edges and in glass, any surface of the beam and its neighbours is right. */
function smallestError({ beams }: TrueScan, nearest: number, range: number): number {
  let least = nowhere;
  for (let beam = nearest - 1; beam <= nearest + 1; beam++) {
    const met = beams[beam];
    if (met === undefined) continue;
    if (met.fog) return Number.NaN;
    for (const surface of met.range === undefined ? met.glass : [...met.glass, met.range])
      if (Math.abs(range - surface) < Math.abs(least)) least = range - surface;
  }
  return least;
}
