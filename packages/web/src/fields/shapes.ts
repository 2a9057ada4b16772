import type { Point } from '@azimuth/model';
import { asCorner, type Contour } from './contour-editing.js';

/** Each side of an arc spans so much at most, in degrees. */
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
