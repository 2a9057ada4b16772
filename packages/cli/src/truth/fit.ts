import type { MeasuredScan, Placement } from './placement.js';
import type { PoseTrack } from './pose-track.js';
import { PointMeter, residualsOf } from './residuals.js';

/** What of a placement can be fitted to points. */
export type Fitted = 'turn' | 'scale' | 'offset' | 'x' | 'y' | 'delay';

/** Steps for derivatives: rad, 1, m, m, m, µs. */
const nudges: Readonly<Record<Fitted, number>> = {
  turn: 1e-4,
  scale: 1e-4,
  offset: 1e-3,
  x: 1e-3,
  y: 1e-3,
  delay: 200,
};

/** Errors beyond so many standard deviations say nothing more: the point is an outlier. */
const outlier = 5;

/** The cost of a point that no placement explains. */
const outlierCost = (outlier * outlier) / 2;

/** Scans with the poses of their scanner: what placements are fitted to. */
export interface Points {
  readonly scans: readonly MeasuredScan[];
  readonly track: PoseTrack;
  /** Only every so many points are looked at. */
  readonly stride: number;
}

/** Returns so many points of all, or a little more, for quick looks. */
export function samplesOf({ scans, track }: Points, wanted: number): Points {
  const all = scans.reduce((sum, { x }) => sum + x.length, 0);
  return { scans, track, stride: Math.max(1, Math.floor(all / wanted)) };
}

/** Returns the errors (m) of points, if they were placed in some way; NaN in fog. */
export function errorsOf({ scans, track, stride }: Points, placement: Placement): Float64Array {
  const errors = new Float64Array(scans.reduce((sum, { x }) => sum + Math.ceil(x.length / stride), 0));
  let count = 0;
  for (const scan of scans) {
    const meter = new PointMeter(scan, placement, track);
    for (let at = 0; at < scan.x.length; at += stride) {
      meter.measure(at);
      errors[count] = meter.error;
      count++;
    }
  }
  return errors;
}

/**
 * Returns how badly a placement explains points: half the mean square of their errors by the deviation of the noise, limited for
 * outliers. Right points have about 0.5.
 * @param deviation m, of the noise
 */
export function costOf(points: Points, placement: Placement, deviation: number): number {
  return meanCost(errorsOf(points, placement), deviation);
}

/** The same from the errors of points. */
export function meanCost(errors: Float64Array, deviation: number): number {
  let sum = 0;
  let count = 0;
  for (const error of errors) {
    if (Number.isNaN(error)) continue;
    count++;
    sum += Math.min(outlierCost, (error / deviation) ** 2 / 2);
  }
  return count === 0 ? outlierCost : sum / count;
}

/** Returns the standard deviation of the noise, whatever outliers there are: m. */
export function deviationOf(points: Points, placement: Placement): number {
  const sizes = plainErrors(points, placement).map(Math.abs).sort();
  const middle = sizes[Math.floor(sizes.length / 2)] ?? Number.NaN;
  return 1.4826 * middle;
}

function plainErrors(points: Points, placement: Placement): Float64Array {
  const all: number[] = [];
  for (const scan of points.scans) {
    const { errors, plain } = residualsOf(scan, placement, points.track, points.stride);
    for (const [at, error] of errors.entries()) if (plain[at] === 1) all.push(error);
  }
  return Float64Array.from(all);
}

/** m: how wrong points may be in each round of a fit. */
const reaches = [1, 0.4, 0.15, 0.08, 0.05, 0.05] as const;

/** A fit ends when the cost changes by less. */
const enough = 0.001;

/** Returns the placement near `start` that explains the points best. */
export function fitted(
  points: Points,
  start: Placement,
  names: readonly Fitted[],
  deviation: number,
): Placement {
  let best = start;
  let bestCost = costOf(points, start, deviation);
  let now = start;
  for (const reach of reaches) {
    const next = improved(points, now, names, Math.max(reach, outlier * deviation));
    if (next === undefined) break;
    now = next;
    const cost = costOf(points, now, deviation);
    const won = bestCost - cost;
    if (won > 0) [best, bestCost] = [now, cost];
    if (Math.abs(won) < enough) break;
  }
  return best;
}

/** One step of Gauss-Newton with the points that are not further off than `reach` (m). */
function improved(
  points: Points,
  placement: Placement,
  names: readonly Fitted[],
  reach: number,
): Placement | undefined {
  const size = names.length;
  const normal = Array.from({ length: size }, () => new Float64Array(size + 1));
  for (const scan of points.scans) {
    const { errors, plain } = residualsOf(scan, placement, points.track, points.stride);
    const nudged = names.map((name) => {
      const moved = { ...placement, [name]: placement[name] + nudges[name] };
      return residualsOf(scan, moved, points.track, points.stride);
    });
    const slopes = new Float64Array(size);
    for (const [at, error] of errors.entries()) {
      if (plain[at] !== 1 || !(Math.abs(error) < reach)) continue;
      if (nudged.some((each) => each.plain[at] !== 1 || !Number.isFinite(each.errors[at]))) continue;
      for (const [index, name] of names.entries())
        slopes[index] = ((nudged[index]?.errors[at] ?? 0) - error) / nudges[name];
      for (const [row, sums] of normal.entries()) {
        const slope = slopes[row] ?? 0;
        for (let column = 0; column < size; column++)
          sums[column] = (sums[column] ?? 0) + slope * (slopes[column] ?? 0);
        sums[size] = (sums[size] ?? 0) - slope * error;
      }
    }
  }
  const steps = solved(normal);
  if (steps === undefined) return undefined;
  const changes = names.map((name, index) => [name, placement[name] + (steps[index] ?? 0)] as const);
  return { ...placement, ...Object.fromEntries(changes) };
}

/** Solves equations by elimination; undefined if they decide nothing. Each row ends with its right side. */
function solved(rows: Float64Array[]): readonly number[] | undefined {
  const size = rows.length;
  for (let column = 0; column < size; column++) {
    const pivot = rows
      .slice(column)
      .reduce((one, other) => (Math.abs(other[column] ?? 0) > Math.abs(one[column] ?? 0) ? other : one));
    const value = pivot[column] ?? 0;
    if (!(Math.abs(value) > 1e-12)) return undefined;
    const at = rows.indexOf(pivot);
    [rows[column], rows[at]] = [pivot, rows[column] ?? pivot];
    for (const row of rows) {
      if (row === pivot) continue;
      const factor = (row[column] ?? 0) / value;
      for (let each = column; each <= size; each++)
        row[each] = (row[each] ?? 0) - factor * (pivot[each] ?? 0);
    }
  }
  return rows.map((row, index) => (row[size] ?? 0) / (row[index] ?? 1));
}
