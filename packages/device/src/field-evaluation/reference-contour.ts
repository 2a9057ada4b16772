import { mostCorners, type Point, type TeachInSettings } from '@azimuth/model';

/** Each sector has two corners at both of its sides, and shares them with its neighbours. */
const mostSectors = mostCorners / 2 - 1;
/** mm: no corner is nearer to the scanner, so that neighbouring corners differ as whole numbers. */
const nearestCorner = 50;

/** The reach of a sector in mm. */
interface Band {
  readonly inner: number;
  readonly outer: number;
}

/**
 * A contour around what was seen, which has to stay there: a band from DistanceInFront before it to DistanceBehind behind
 * it. It has sectors of the same width. It covers the widest span of sectors in which every beam saw something.
 * @param nearest mm, by beam; Infinity if nothing was seen
 * @param step rad from beam to beam
 * @param pointAt the point at a distance (mm) along a beam
 * @returns undefined if there is no such sector
 */
export function referenceContour(
  nearest: Float64Array,
  step: number,
  pointAt: (beam: number, distance: number) => Point,
  { DistanceInFront, DistanceBehind }: TeachInSettings,
): readonly Point[] | undefined {
  const last = nearest.length - 1;
  const sectors = Math.min(mostSectors, last);
  const border = (index: number) => Math.round((index * last) / sectors);
  // A side is nearer than its corners in its middle.
  const widening = 1 / Math.cos((step * Math.ceil(last / sectors)) / 2);
  const bands = Array.from({ length: Math.max(0, sectors) }, (_, sector): Band | undefined => {
    const seen = nearest.subarray(border(sector), border(sector + 1) + 1);
    const [closest, furthest] = [Math.min(...seen), Math.max(...seen)];
    if (!Number.isFinite(furthest)) return undefined;
    const inner = Math.max(nearestCorner, closest - DistanceInFront);
    return { inner, outer: Math.max(inner + 1, (furthest + DistanceBehind) * widening) };
  });
  const { first, end } = widestSpan(bands);
  if (end === first) return undefined;
  const span = bands.slice(first, end).filter((band) => band !== undefined);
  const corners = Array.from({ length: end - first + 1 }, (_, index) => {
    const beside = [span[index - 1], span[index]].filter((band) => band !== undefined);
    return {
      beam: border(first + index),
      inner: Math.min(...beside.map(({ inner }) => inner)),
      outer: Math.max(...beside.map(({ outer }) => outer)),
    };
  });
  return [
    ...corners.map(({ beam, outer }) => pointAt(beam, outer)),
    ...corners.toReversed().map(({ beam, inner }) => pointAt(beam, inner)),
  ];
}

/** The longest run of items that are there, `end` excluded. */
function widestSpan(items: readonly unknown[]): { readonly first: number; readonly end: number } {
  let widest = { first: 0, end: 0 };
  let first = 0;
  for (const [index, item] of items.entries()) {
    if (item === undefined) first = index + 1;
    else if (index + 1 - first > widest.end - widest.first) widest = { first, end: index + 1 };
  }
  return widest;
}
