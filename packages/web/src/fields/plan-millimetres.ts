import type { Point } from '@azimuth/model';
import { type PlanPoint, type ScreenPoint, toScreen, type Viewport } from '../live/viewport.js';

/** A point in mm, of a point of the floor plan. */
export function millimetres({ x, y }: PlanPoint): Point {
  return { x: x * 1000, y: y * 1000 };
}

/** Where a point in mm is on the screen. */
export function onScreen(viewport: Viewport, { x, y }: Point): ScreenPoint {
  return toScreen(viewport, { x: x / 1000, y: y / 1000 });
}

/** The length in mm of so many CSS pixels. */
export function reachOf({ scale }: Viewport, pixels: number): number {
  return (pixels / scale) * 1000;
}

/** The value of `points` of an SVG polygon. */
export function polygonPoints(viewport: Viewport, points: readonly Point[]): string {
  return points
    .map((point) => {
      const { left, top } = onScreen(viewport, point);
      return `${left.toFixed(1)},${top.toFixed(1)}`;
    })
    .join(' ');
}
