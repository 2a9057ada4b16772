import { mostCorners, type Point } from '@azimuth/model';
import { asCorner, type Contour } from './contour.js';

/** Tool: the shape that presses on the plan draw. */
export type DrawingTool = 'polygon' | 'rectangle' | 'sector' | 'line';

/** Something that is being drawn: the points that were pressed. */
export interface Drawing {
  readonly tool: DrawingTool;
  readonly points: readonly Point[];
}

/** Number of presses that a tool needs; a polygon has any number, and is closed. */
const pressesNeeded: Readonly<Record<Exclude<DrawingTool, 'polygon'>, number>> = {
  rectangle: 2,
  sector: 3,
  line: 2,
};

/**
 * The drawing after a press.
 * @param isOnFirst true if the press is on the first corner, which closes a polygon
 */
export function pressed(
  drawing: Drawing,
  point: Point,
  isOnFirst: boolean,
): { readonly drawing: Drawing; readonly isDone: boolean } {
  const { tool, points } = drawing;
  if (tool === 'polygon' && isOnFirst && canClose(drawing)) return { drawing, isDone: true };
  const last = points.at(-1);
  if (last !== undefined && last.x === point.x && last.y === point.y) return { drawing, isDone: false };
  if (points.length >= mostCorners) return { drawing, isDone: false };
  const next = { tool, points: [...points, asCorner(point)] };
  return { drawing: next, isDone: tool !== 'polygon' && next.points.length === pressesNeeded[tool] };
}

export function canClose({ tool, points }: Drawing): boolean {
  return tool === 'polygon' && points.length >= 3;
}

export function withoutLastPoint({ tool, points }: Drawing): Drawing {
  return { tool, points: points.slice(0, -1) };
}

/** Returns the drawing as it would be after a press at `pointer`; without a pointer, the present one. */
export function outlineOf({ tool, points }: Drawing, pointer?: Point): Contour {
  const all = pointer === undefined ? points : [...points, asCorner(pointer)];
  const [first, second, third] = all;
  if (first === undefined || second === undefined) return all;
  if (tool === 'rectangle') return rectangle(first, second);
  if (tool === 'sector' && third !== undefined) return sector(first, second, third);
  return all;
}

export function drawingHint(drawing: Drawing): string {
  const { tool, points } = drawing;
  switch (tool) {
    case 'polygon':
      if (points.length === 0) return 'Click the first corner of the field.';
      return canClose(drawing)
        ? 'Click the next corner. Enter or a click on the first corner closes the field.'
        : 'Click the next corner. Backspace takes the last one back.';
    case 'rectangle':
      return points.length === 0 ? 'Click one corner of the rectangle.' : 'Click the opposite corner.';
    case 'sector':
      if (points.length === 0) return 'Click the tip of the sector.';
      return points.length === 1 ? 'Click the right end of its arc.' : 'Click the left end of its arc.';
    case 'line':
      return points.length === 0 ? 'Click where the line begins.' : 'Click where the line ends.';
  }
}

/** Maximum span of a side of an arc, in degrees. */
const degreesPerSide = 10;
const fullTurn = 2 * Math.PI;
const degree = Math.PI / 180;

/** A rectangle along the axes of the machine, between two opposite corners. */
export function rectangle(one: Point, opposite: Point): Contour {
  return withoutRepeats([
    asCorner(one),
    asCorner({ x: opposite.x, y: one.y }),
    asCorner(opposite),
    asCorner({ x: one.x, y: opposite.y }),
  ]);
}

/**
 * A slice of a circle: its centre, and an arc from `start` counter-clockwise to the direction of `end`. The radius is the
 * distance of `start`.
 */
export function sector(centre: Point, start: Point, end: Point): Contour {
  const radius = Math.hypot(start.x - centre.x, start.y - centre.y);
  const from = directionOf(centre, start);
  const turn = (((directionOf(centre, end) - from) % fullTurn) + fullTurn) % fullTurn;
  const sides = Math.max(1, Math.ceil(turn / degree / degreesPerSide - 1e-9));
  const arc = Array.from({ length: sides + 1 }, (_, index) => {
    const direction = from + (turn * index) / sides;
    return asCorner({
      x: centre.x + radius * Math.cos(direction),
      y: centre.y + radius * Math.sin(direction),
    });
  });
  return withoutRepeats([asCorner(centre), ...arc]);
}

function directionOf(from: Point, to: Point): number {
  return Math.atan2(to.y - from.y, to.x - from.x);
}

function withoutRepeats(points: Contour): Contour {
  return points.filter((point, index) => {
    const next = points[(index + 1) % points.length];
    return next === undefined || next === point || next.x !== point.x || next.y !== point.y;
  });
}
