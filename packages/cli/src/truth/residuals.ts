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

/** Returns the errors of the points of a scan. @param stride only every so many points */
export function residualsOf(
  scan: MeasuredScan,
  placement: Placement,
  track: PoseTrack,
  stride = 1,
): Residuals {
  const count = Math.ceil(scan.x.length / stride);
  const errors = new Float64Array(count).fill(nowhere);
  const beams = new Float64Array(count).fill(Number.NaN);
  const ranges = new Float64Array(count).fill(Number.NaN);
  const plain = new Uint8Array(count);
  const measured = scan.earlier[placement.lag];
  if (measured === undefined) return { errors, beams, ranges, plain };
  const locator = new PointLocator(placement, placement.lagsPoses ? measured : scan.truth, track);
  const located: Located = { beam: 0, range: 0 };
  for (let at = 0; at < count; at++) {
    locator.locate(scan.x[at * stride] ?? 0, scan.y[at * stride] ?? 0, located);
    const { beam, range } = located;
    const nearest = measured.nearest(beam);
    if (nearest === undefined) continue;
    beams[at] = beam;
    ranges[at] = range;
    if (measured.isPlain(nearest)) {
      plain[at] = 1;
      errors[at] = range - measured.rangeAt(beam);
    } else errors[at] = smallestError(measured, nearest, range);
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
