import { isObject } from '@azimuth/model';
import type { ReadonlySignal } from '@preact/signals';
import type { Layer } from '../plan/floor-plan.js';
import { type PlanPoint, toScreen } from '../plan/plan.js';
import { type Place, placed } from './place.js';

/** The walls of a map. */
export interface MapWalls {
  /** Their outlines in cells, an SVG path. */
  readonly outlines: string;
  /** m per cell. */
  readonly resolution: number;
  /** Where the lower left corner of the map is, and how the map is turned. */
  readonly place: Place;
}

/** Returns the walls of the map of a scene file, from a response of the control port; undefined if it has no map. */
export function mapIn({ map }: Readonly<Record<string, unknown>>): MapWalls | undefined {
  if (!isObject(map)) return undefined;
  const { outlines, resolution, x, y, heading } = map;
  if (typeof outlines !== 'string' || typeof resolution !== 'number') return undefined;
  const number = (value: unknown) => (typeof value === 'number' ? value : 0);
  return { outlines, resolution, place: { x: number(x), y: number(y), heading: number(heading) } };
}

/** Returns the corners of the rectangle about the walls of a map. A map without walls has none. */
export function cornersOfMap({ outlines, resolution, place }: MapWalls): PlanPoint[] {
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
  let [column, row] = [0, 0];
  for (const [, beginColumn, beginRow, axis, length] of outlines.matchAll(/M(\d+) (\d+)|([hv])(-?\d+)/g)) {
    if (beginColumn !== undefined) [column, row] = [Number(beginColumn), Number(beginRow)];
    else if (axis === 'h') column += Number(length);
    else row += Number(length);
    [left, right] = [Math.min(left, column), Math.max(right, column)];
    [bottom, top] = [Math.min(bottom, row), Math.max(top, row)];
  }
  if (left > right) return [];
  const corner = (x: number, y: number) => placed({ x: resolution * x, y: resolution * y }, place);
  return [corner(left, bottom), corner(right, bottom), corner(right, top), corner(left, top)];
}

/**
 * Draws the walls of the map of a scene. A map may have 500,000 lines, so the browser draws its path as a whole.
 */
export function mapLayer(simulation: {
  readonly scene: ReadonlySignal<{ readonly map?: MapWalls | undefined } | undefined>;
}): Layer {
  let parsed: { readonly outlines: string; readonly path: Path2D } | undefined;
  return {
    name: 'map',
    isShown: () => simulation.scene.value?.map !== undefined,
    draw({ context, viewport, colours }) {
      const map = simulation.scene.value?.map;
      if (map === undefined) return;
      const { outlines, resolution, place } = map;
      if (parsed?.outlines !== outlines) parsed = { outlines, path: new Path2D(outlines) };
      const corner = (column: number, row: number) =>
        toScreen(viewport, placed({ x: resolution * column, y: resolution * row }, place));
      const [origin, right, up] = [corner(0, 0), corner(1, 0), corner(0, 1)];
      context.save();
      context.transform(
        right.left - origin.left,
        right.top - origin.top,
        up.left - origin.left,
        up.top - origin.top,
        origin.left,
        origin.top,
      );
      context.fillStyle = colours.soft;
      context.globalAlpha = 0.3;
      context.fill(parsed.path);
      context.globalAlpha = 1;
      context.strokeStyle = colours.soft;
      context.lineWidth = lineWidth / (resolution * viewport.scale);
      context.stroke(parsed.path);
      context.restore();
    },
  };
}

/** CSS pixels. */
const lineWidth = 1.5;
