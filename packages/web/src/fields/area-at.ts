import { type Evaluation, isInside, type Point } from '@azimuth/model';
import { areaOf } from './contour-editing.js';

/**
 * The evaluation whose area is at a point: of several, the smallest, because it lies on top. If that one is selected
 * already, the next larger one, so that each can be reached.
 */
export function areaAt(
  evaluations: readonly Evaluation[],
  point: Point,
  selected: number | undefined,
): Evaluation | undefined {
  const there = evaluations
    .filter(({ Points }) => isInside(Points, point))
    .toSorted((one, other) => areaOf(one.Points) - areaOf(other.Points));
  return there[(there.findIndex(({ Id }) => Id === selected) + 1) % Math.max(1, there.length)];
}
