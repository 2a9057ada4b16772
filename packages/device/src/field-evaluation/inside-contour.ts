import { crossOf, type Point } from './point.js';

/** Is a point inside a closed contour? Its sides belong to it. */
export function isInside(contour: readonly Point[], point: Point): boolean {
  let inside = false;
  let from = contour.at(-1);
  for (const to of contour) {
    if (from === undefined) return false;
    const side = crossOf(from, to, point);
    if (side === 0 && isBeside(point, from, to)) return true;
    // A side counts for one of its ends only: so a ray through a corner crosses two sides or none.
    const goesUp = to.y > point.y;
    if (from.y > point.y !== goesUp && side > 0 === goesUp) inside = !inside;
    from = to;
  }
  return inside;
}

function isBeside(point: Point, one: Point, other: Point): boolean {
  return (point.x - one.x) * (point.x - other.x) <= 0 && (point.y - one.y) * (point.y - other.y) <= 0;
}
