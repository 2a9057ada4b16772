import { median } from './statistics.js';

/** Share of the points below the line: the network only delays, but a few stamps may be early. */
const below = 0.05;
/** Numbers of parts of the time that are left out in turn, to see how far the slope depends on short and on long ones. */
const divisions = [4, 8];
/** Least points that tell how far the slope may be wrong. */
const leastPoints = 4;
/** Steps of the search for the slope: each leaves 0.62 of the range. */
const searchSteps = 50;
const goldenPart = (Math.sqrt(5) - 1) / 2;

/** A value at a time (ms). */
export interface Point {
  readonly at: number;
  readonly value: number;
}

/** A line: `value` at the time `at`, and its growth in ms per ms. */
export interface Line extends Point {
  readonly slope: number;
}

/** A robust line along the lower edge of points. */
export interface Fit extends Line {
  /** How far the slope may be wrong; infinite if they are too few to tell. */
  readonly uncertainty: number;
  /** ms from the first to the last point. */
  readonly span: number;
}

export function valueOn({ at, value, slope }: Line, time: number): number {
  return value + slope * (time - at);
}

/**
 * Fits the slope of the lower edge of points (the quantile regression of 5 %), and a value in their middle. What is above it
 * counts little, so points may be late for a while without turning the line. The uncertainty is three standard errors of
 * a jackknife over parts of the time, short or long: it sees slow changes, too, that the scatter of single points does not show.
 * Undefined for fewer than two points.
 * @param points in the order of their times, no two at the same one
 */
export function fitBelow(points: readonly Point[]): Fit | undefined {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined || points.length < 2) return undefined;
  const slope = slopeBelow(points);
  const { at } = first;
  return {
    at,
    value: median(residuals(points, slope)),
    slope,
    uncertainty: uncertaintyOf(points, last.at - at),
    span: last.at - at,
  };
}

function uncertaintyOf(points: readonly Point[], span: number): number {
  if (points.length < leastPoints) return Number.POSITIVE_INFINITY;
  return 3 * Math.max(...divisions.map((parts) => standardError(points, span, parts)));
}

/** Returns the standard error of the slope by a jackknife over parts of the time. */
function standardError(points: readonly Point[], span: number, parts: number): number {
  const begin = points[0]?.at ?? 0;
  const partOf = ({ at }: Point) => Math.min(parts - 1, Math.floor((parts * (at - begin)) / span));
  const slopes = Array.from({ length: parts }, (_, part) => points.filter((point) => partOf(point) !== part))
    .filter((rest) => rest.length >= 2 && rest.length < points.length)
    .map(slopeBelow);
  // Only one part can be left out: nearly all points lie in the other.
  if (slopes.length < 2) return Number.POSITIVE_INFINITY;
  const mean = slopes.reduce((sum, slope) => sum + slope, 0) / slopes.length;
  const squares = slopes.reduce((sum, slope) => sum + (slope - mean) ** 2, 0);
  return Math.sqrt((squares * (slopes.length - 1)) / slopes.length);
}

/** Returns the slope with the least cost. The cost is convex, and the slope lies between those of neighbours. */
function slopeBelow(points: readonly Point[]): number {
  const between = points.slice(1).map(({ at, value }, index) => {
    const before = points[index];
    return before === undefined ? 0 : (value - before.value) / (at - before.at);
  });
  let least = between.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  let largest = between.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
  const inside = (part: number) => least + part * (largest - least);
  let low = { slope: inside(1 - goldenPart), cost: costOf(points, inside(1 - goldenPart)) };
  let high = { slope: inside(goldenPart), cost: costOf(points, inside(goldenPart)) };
  for (let step = 0; step < searchSteps; step++) {
    if (low.cost < high.cost) {
      largest = high.slope;
      high = low;
      low = { slope: inside(1 - goldenPart), cost: costOf(points, inside(1 - goldenPart)) };
    } else {
      least = low.slope;
      low = high;
      high = { slope: inside(goldenPart), cost: costOf(points, inside(goldenPart)) };
    }
  }
  return (least + largest) / 2;
}

/** Returns how badly a slope fits: what is below the best line with it costs 19 times what is above. */
function costOf(points: readonly Point[], slope: number): number {
  const values = residuals(points, slope);
  const line = valueOfRank(values, Math.floor(below * values.length));
  let cost = 0;
  for (const value of values) cost += (value < line ? below - 1 : below) * (value - line);
  return cost;
}

/** Returns the value that has so many below it. It is called often, and sorts no more than it needs. */
function valueOfRank(values: Float64Array, rank: number): number {
  const least = values.slice(0, rank + 1).sort();
  for (const value of values.subarray(rank + 1)) {
    if (value >= (least[rank] ?? value)) continue;
    let at = rank;
    for (; at > 0 && (least[at - 1] ?? value) > value; at--) least[at] = least[at - 1] ?? value;
    least[at] = value;
  }
  return least[rank] ?? Number.NaN;
}

function residuals(points: readonly Point[], slope: number): Float64Array {
  const begin = points[0]?.at ?? 0;
  const values = new Float64Array(points.length);
  points.forEach(({ at, value }, index) => {
    values[index] = value - slope * (at - begin);
  });
  return values;
}
