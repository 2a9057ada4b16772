import { furthestCorner } from '@azimuth/model';
import { crossOf, type Point } from '../sight/point.js';
import { meetingSides } from './self-intersection.js';

/** Points that a contour has (reference of devices, Measuring); that it has no more than 100, its type says. */
const fewest = 3;

/**
 * What is wrong with a contour, in words; undefined where nothing is. It is closed by itself: its last point is joined to
 * the first.
 */
export function contourFault(points: readonly Point[]): string | undefined {
  if (points.length < fewest) return `a contour has at least ${fewest} points, ${points.length} came`;
  const far = points.findIndex(({ x, y }) => Math.abs(x) > furthestCorner || Math.abs(y) > furthestCorner);
  if (far !== -1) return `a contour is within ${-furthestCorner}..${furthestCorner}, points [${far}] is not`;
  if (lieOnOneLine(points)) return 'a contour encloses an area, all points lie on one line';
  const twice = points.findIndex((point, index) => isSame(point, points[(index + 1) % points.length]));
  if (twice !== -1) return `points [${twice}] and [${(twice + 1) % points.length}] are the same`;
  const meeting = meetingSides(points);
  if (meeting === undefined) return undefined;
  const { first, second } = meeting;
  return `the sides of a contour share no points, those from [${first}] and from [${second}] do`;
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
