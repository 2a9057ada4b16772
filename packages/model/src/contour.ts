/** Largest coordinate of a corner of a contour, in mm from the middle of the machine, in either direction. */
export const furthestCorner = 120_000;
/** Fewest and most corners of a contour (reference of devices, Measuring). */
export const fewestCorners = 3;
export const mostCorners = 100;

/** A point of the ground plane of the machine, in mm. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Returns a number above 0 if `point` is to the left of the line from `from` to `to`, and 0 if it is on the line. */
function crossOf(from: Point, to: Point, point: Point): number {
  return (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x);
}

/**
 * Returns the first problem of a contour in words; undefined if it has none. A contour is closed: its last point is
 * joined to the first. Its type checks that it has at most `mostCorners`.
 */
export function contourProblem(points: readonly Point[]): string | undefined {
  if (points.length < fewestCorners) return `expected at least ${fewestCorners} points, got ${points.length}`;
  const far = points.findIndex(({ x, y }) => Math.abs(x) > furthestCorner || Math.abs(y) > furthestCorner);
  if (far !== -1) return `a contour is within ${-furthestCorner}..${furthestCorner}, points [${far}] is not`;
  if (lieOnOneLine(points)) return 'the contour encloses no area: all points lie on one line';
  const twice = points.findIndex((point, index) => isSame(point, points[(index + 1) % points.length]));
  if (twice !== -1) return `points [${twice}] and [${(twice + 1) % points.length}] are the same`;
  const meeting = meetingEdges(points);
  if (meeting === undefined) return undefined;
  const { first, second } = meeting;
  return `the sides from [${first}] and [${second}] touch or cross`;
}

function lieOnOneLine(points: readonly Point[]): boolean {
  const [first] = points;
  const second = points.find((point) => first !== undefined && (point.x !== first.x || point.y !== first.y));
  if (first === undefined || second === undefined) return true;
  return points.every((point) => crossOf(first, second, point) === 0);
}

function isSame(one: Point, other: Point | undefined): boolean {
  return one.x === other?.x && one.y === other.y;
}

/** Two edges of a contour that meet although they must not. Edge n goes from point n to the next, counted from 0. */
interface MeetingEdges {
  readonly first: number;
  readonly second: number;
}

/**
 * Finds the first two edges of a closed contour that cross, touch or overlap; undefined for a simple contour.
 * Neighbouring edges share a point and are not compared: if one runs back along the other, a third edge touches one of
 * them.
 * @param points not all on one line, and no two neighbours the same
 */
export function meetingEdges(points: readonly Point[]): MeetingEdges | undefined {
  const edges = points.map((from, index) => ({ from, to: points[(index + 1) % points.length] ?? from }));
  for (const [first, one] of edges.entries()) {
    // The last edge is a neighbour of the first.
    const end = first === 0 ? edges.length - 1 : edges.length;
    for (let second = first + 2; second < end; second++) {
      if (touch(one, edges[second] ?? one)) return { first, second };
    }
  }
  return undefined;
}

interface Edge {
  readonly from: Point;
  readonly to: Point;
}

function touch({ from: a, to: b }: Edge, { from: c, to: d }: Edge): boolean {
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

/** Returns true if a point on the line through two others lies between them or is one of them. */
function isBetween(point: Point, one: Point, other: Point): boolean {
  return (
    Math.min(one.x, other.x) <= point.x &&
    point.x <= Math.max(one.x, other.x) &&
    Math.min(one.y, other.y) <= point.y &&
    point.y <= Math.max(one.y, other.y)
  );
}

/** Returns true if a point is inside a closed contour or on one of its edges. */
export function isInside(contour: readonly Point[], point: Point): boolean {
  let inside = false;
  let from = contour.at(-1);
  for (const to of contour) {
    if (from === undefined) return false;
    const side = crossOf(from, to, point);
    if (side === 0 && isBeside(point, from, to)) return true;
    // Each edge includes only one of its ends, so a ray through a corner crosses two edges or none.
    const isRising = to.y > point.y;
    if (from.y > point.y !== isRising && side > 0 === isRising) inside = !inside;
    from = to;
  }
  return inside;
}

function isBeside(point: Point, one: Point, other: Point): boolean {
  return (point.x - one.x) * (point.x - other.x) <= 0 && (point.y - one.y) * (point.y - other.y) <= 0;
}
