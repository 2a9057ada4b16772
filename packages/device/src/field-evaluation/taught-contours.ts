import { mostCorners, type Point, type TeachInSettings } from '@azimuth/model';
import { beamFan, radPerDegree, type ScanGeometry } from '../scan/scan.js';
import type { NearestByBeam } from './nearest-echoes.js';

/** Minimum distance of a corner in mm, so that neighbouring corners differ as whole numbers. */
const nearestCorner = 50;
/** Maximum number of sectors of a fan: 97 have 98 corners, which are 99 points with the scanner itself. */
const mostSectors = 97;
/** Maximum number of sectors of a band: each has two corners on each side, and shares them with its neighbours. */
const mostBands = mostCorners / 2 - 1;

/** The point at a distance (mm) along a beam, in whole mm. */
function pointsOf(geometry: ScanGeometry): (beam: number, distance: number) => Point {
  const { x, y } = beamFan(geometry);
  return (beam, distance) => ({
    x: Math.round(distance * (x[beam] ?? 0)) + 0,
    y: Math.round(distance * (y[beam] ?? 0)) + 0,
  });
}

/**
 * The contour of the nearest echoes, as a fan of sectors of the same width. A sector reaches to the nearest echo in it
 * less the margin. Echoes next to the sector also count if they are nearer to its border than the margin. A corner
 * between two sectors is as far as the shorter sector, so no side is nearer to an echo than the margin. A sector
 * without echoes is as long as the longest one. Undefined if there is no echo at all.
 * @param margin mm between a taught field and the echoes, so that noise does not infringe it
 */
export function taughtContour(
  { nearest, geometry }: NearestByBeam,
  margin: number,
): readonly Point[] | undefined {
  const last = nearest.length - 1;
  const sectors = Math.min(mostSectors, last);
  const border = (index: number) => Math.round((index * last) / sectors);
  const closest = nearest.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  const radians = (geometry.step * Math.PI) / 180;
  /** Distance of the nearest echo next to a sector, if it is nearer to the border at `beam` than the margin. */
  const beside = (beam: number, direction: 1 | -1): number => {
    let reach = Number.POSITIVE_INFINITY;
    for (let off = 1; ; off++) {
      const aside = Math.sin(Math.min(off * radians, Math.PI / 2));
      const distance = nearest[beam + direction * off];
      if (distance === undefined || closest * aside >= margin) return reach;
      if (distance * aside < margin) reach = Math.min(reach, distance);
    }
  };
  const reaches = Array.from({ length: Math.max(0, sectors) }, (_, sector) => {
    const inside = nearest.subarray(border(sector), border(sector + 1) + 1);
    return Math.min(
      inside.reduce((one, other) => Math.min(one, other)),
      beside(border(sector), -1),
      beside(border(sector + 1), 1),
    );
  });
  const furthest = Math.max(...reaches.filter((reach) => Number.isFinite(reach)));
  if (!Number.isFinite(furthest)) return undefined;
  const pointAt = pointsOf(geometry);
  const corners = Array.from({ length: sectors + 1 }, (_, index) => {
    const shorter = Math.min(furthest, reaches[index - 1] ?? furthest, reaches[index] ?? furthest);
    const at = Math.max(nearestCorner, shorter - margin);
    return pointAt(border(index), at);
  });
  return [{ x: 0, y: 0 }, ...corners];
}

/** Inner and outer distance of a sector in mm. */
interface Band {
  readonly inner: number;
  readonly outer: number;
}

/**
 * The contour around objects that have to stay in place: a band from DistanceInFront before them to DistanceBehind
 * behind them. Its sectors have the same width. It covers the widest span of sectors in which every beam has an echo.
 * @returns undefined if there is no such sector
 */
export function referenceContour(
  { nearest, geometry }: NearestByBeam,
  { DistanceInFront, DistanceBehind }: TeachInSettings,
): readonly Point[] | undefined {
  const last = nearest.length - 1;
  const sectors = Math.min(mostBands, last);
  const step = Math.abs(geometry.step) * radPerDegree;
  const pointAt = pointsOf(geometry);
  const border = (index: number) => Math.round((index * last) / sectors);
  // The middle of a side is nearer than its corners.
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

/** The longest run of items that are not undefined, `end` excluded. */
function widestSpan(items: readonly unknown[]): { readonly first: number; readonly end: number } {
  let widest = { first: 0, end: 0 };
  let first = 0;
  for (const [index, item] of items.entries()) {
    if (item === undefined) first = index + 1;
    else if (index + 1 - first > widest.end - widest.first) widest = { first, end: index + 1 };
  }
  return widest;
}
