import { crossOf, type Point } from '../sight/point.js';

/** Two sides of a contour that meet where they must not, counted from 0: side n goes from point n to the next one. */
export interface MeetingSides {
  readonly first: number;
  readonly second: number;
}

/**
 * The first two sides of a closed contour that cross, touch or lie upon each other; undefined for a simple one. Sides
 * that follow each other share a point and are not compared: where one turns back along the other, a third side touches
 * one of them.
 * @param points not all on one line, and no two in a row the same.
 */
export function meetingSides(points: readonly Point[]): MeetingSides | undefined {
  const sides = points.map((from, index) => ({ from, to: points[(index + 1) % points.length] ?? from }));
  for (const [first, one] of sides.entries()) {
    // The last side follows on to the first.
    const end = first === 0 ? sides.length - 1 : sides.length;
    for (let second = first + 2; second < end; second++) {
      if (touch(one, sides[second] ?? one)) return { first, second };
    }
  }
  return undefined;
}

interface Side {
  readonly from: Point;
  readonly to: Point;
}

function touch({ from: a, to: b }: Side, { from: c, to: d }: Side): boolean {
  const [ofA, ofB] = [Math.sign(crossOf(c, d, a)), Math.sign(crossOf(c, d, b))];
  const [ofC, ofD] = [Math.sign(crossOf(a, b, c)), Math.sign(crossOf(a, b, d))];
  if (ofA * ofB < 0 && ofC * ofD < 0) return true;
  return (
    (ofA === 0 && isBetween(a, c, d)) ||
    (ofB === 0 && isBetween(b, c, d)) ||
    (ofC === 0 && isBetween(c, a, b)) ||
    (ofD === 0 && isBetween(d, a, b))
  );
}

/** Is a point of the line through both ends between them, or one of them? */
function isBetween(point: Point, one: Point, other: Point): boolean {
  return (
    Math.min(one.x, other.x) <= point.x &&
    point.x <= Math.max(one.x, other.x) &&
    Math.min(one.y, other.y) <= point.y &&
    point.y <= Math.max(one.y, other.y)
  );
}
