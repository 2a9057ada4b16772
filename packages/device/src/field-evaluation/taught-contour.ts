import type { Point } from '../sight/point.js';
import type { View } from '../sight/view.js';
import type { Seen } from './surroundings.js';

/** mm between a taught field and what was seen: noise must not infringe it. */
export const margin = 50;
/** mm: a corner is never nearer to the scanner, so that corners side by side stay apart as whole numbers. */
const nearestCorner = 50;
/** With the corners at both ends of each, and the scanner itself, 99 points. */
const mostSectors = 97;

/**
 * The contour of what was seen, as a fan of sectors of the same width. A sector reaches as far as the nearest thing in it,
 * or so close beside it that its border would pass it by less than the margin, less that margin, and a corner between two sectors only as far as the shorter one: so no side comes nearer to what was
 * seen than the margin. A sector in which nothing was seen reaches as far as the longest one. Undefined where nothing was
 * seen at all.
 */
export function taughtContour({ nearest, geometry }: Seen, view: View): readonly Point[] | undefined {
  const last = nearest.length - 1;
  const sectors = Math.min(mostSectors, last);
  const seam = (index: number) => Math.round((index * last) / sectors);
  const closest = nearest.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  const radians = (geometry.step * Math.PI) / 180;
  /** The nearest thing beside a sector that its border, between `beam` and the next one that way, passes too closely. */
  const beside = (beam: number, way: 1 | -1): number => {
    let reach = Number.POSITIVE_INFINITY;
    for (let off = 1; ; off++) {
      const aside = Math.sin(Math.min(off * radians, Math.PI / 2));
      const distance = nearest[beam + way * off];
      if (distance === undefined || closest * aside >= margin) return reach;
      if (distance * aside < margin) reach = Math.min(reach, distance);
    }
  };
  const reaches = Array.from({ length: Math.max(0, sectors) }, (_, sector) => {
    const inside = nearest.subarray(seam(sector), seam(sector + 1) + 1);
    return Math.min(
      inside.reduce((one, other) => Math.min(one, other)),
      beside(seam(sector), -1),
      beside(seam(sector + 1), 1),
    );
  });
  const furthest = Math.max(...reaches.filter((reach) => Number.isFinite(reach)));
  if (!Number.isFinite(furthest)) return undefined;
  const { position, directions } = view;
  const corners = Array.from({ length: sectors + 1 }, (_, index) => {
    const shorter = Math.min(furthest, reaches[index - 1] ?? furthest, reaches[index] ?? furthest);
    const at = Math.max(nearestCorner, shorter - margin);
    const beam = seam(index);
    return {
      x: Math.round(position.x + at * (directions.x[beam] ?? 0)),
      y: Math.round(position.y + at * (directions.y[beam] ?? 0)),
    };
  });
  return [{ x: position.x, y: position.y }, ...corners];
}
