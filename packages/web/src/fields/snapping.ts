import type { Point } from '@azimuth/model';
import { asCorner, type Contour, nearestWithin } from './contour-editing.js';

/** The distances of the grid that points snap to, in mm. 1 mm is the finest that a corner can have. */
export const snapSteps = [1, 10, 50, 100] as const;
export type SnapStep = (typeof snapSteps)[number];

/** What a point snaps to. */
export interface Snap {
  readonly step: SnapStep;
  /** Corners of other areas. They go before the grid. */
  readonly corners: readonly Point[];
  /** mm within which a corner attracts. */
  readonly reach: number;
  /** The measured point near a point. It goes after the corners and before the grid. */
  readonly measuredNear?: ((point: Point) => Point | undefined) | undefined;
}

/** The corner near a point, else the measured point near it, else the nearest point of the grid. */
export function snapped(point: Point, { step, corners, reach, measuredNear }: Snap): Point {
  const near = nearestWithin(corners, point, reach);
  const corner = near === undefined ? undefined : corners[near];
  return corner ?? asCorner(measuredNear?.(point) ?? onGrid(point, step));
}

function onGrid({ x, y }: Point, step: SnapStep): Point {
  return { x: Math.round(x / step) * step, y: Math.round(y / step) * step };
}

/**
 * The movement of an area that puts one of its corners on a corner of another area near it, or its first corner on the
 * grid.
 */
export function snappedMove(contour: Contour, by: Point, { step, corners, reach }: Snap): Point {
  const [first] = contour;
  if (first === undefined) return by;
  let shortest = reach;
  let best: Point | undefined;
  for (const corner of contour) {
    const moved = { x: corner.x + by.x, y: corner.y + by.y };
    const near = nearestWithin(corners, moved, shortest);
    const target = near === undefined ? undefined : corners[near];
    if (target === undefined) continue;
    shortest = Math.hypot(target.x - moved.x, target.y - moved.y);
    best = { x: target.x - corner.x, y: target.y - corner.y };
  }
  if (best !== undefined) return best;
  const target = onGrid({ x: first.x + by.x, y: first.y + by.y }, step);
  return { x: target.x - first.x, y: target.y - first.y };
}
