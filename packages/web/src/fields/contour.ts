import { type Evaluation, furthestCorner, isInside, type Point } from '@azimuth/model';

/** The corners of an area in order, in mm in the coordinates of the machine. The last one is joined to the first. */
export type Contour = readonly Point[];

/** The point in whole mm, and no further away than a corner may be. */
export function asCorner({ x, y }: Point): Point {
  return { x: asCoordinate(x), y: asCoordinate(y) };
}

function asCoordinate(millimetres: number): number {
  return Math.max(-furthestCorner, Math.min(furthestCorner, Math.round(millimetres))) + 0;
}

export function withCornerAt(contour: Contour, index: number, point: Point): Contour {
  return contour.map((corner, at) => (at === index ? asCorner(point) : corner));
}

/** Inserts a corner into the side that begins at corner `index`. */
export function withCornerAfter(contour: Contour, index: number, point: Point): Contour {
  return contour.toSpliced(index + 1, 0, asCorner(point));
}

export function withoutCorner(contour: Contour, index: number): Contour {
  return contour.toSpliced(index, 1);
}

/** Moves the whole area without changing its form. The movement ends where a corner reaches its limit. */
export function movedBy(contour: Contour, by: Point): Contour {
  const [right, up] = [
    allowedMove(
      contour.map(({ x }) => x),
      by.x,
    ),
    allowedMove(
      contour.map(({ y }) => y),
      by.y,
    ),
  ];
  return contour.map(({ x, y }) => ({ x: x + right, y: y + up }));
}

function allowedMove(coordinates: readonly number[], by: number): number {
  const least = -furthestCorner - Math.min(...coordinates);
  const most = furthestCorner - Math.max(...coordinates);
  return Math.max(least, Math.min(most, Math.round(by))) + 0;
}

/** The middle of the side that begins at corner `index`. */
export function middleOfSide(contour: Contour, index: number): Point {
  const from = contour[index] ?? { x: 0, y: 0 };
  const to = contour[(index + 1) % contour.length] ?? from;
  return asCorner({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 });
}

/** Returns the size of an area in mm²; a meaningless number for an area that crosses itself. */
export function areaOf(contour: Contour): number {
  const sum = contour.reduce((twice, from, index) => {
    const to = contour[(index + 1) % contour.length] ?? from;
    return twice + from.x * to.y - to.x * from.y;
  }, 0);
  return Math.abs(sum) / 2;
}

/**
 * Returns the index of the point nearest to `at`, within `reach`; undefined if there is none. All in the same unit: CSS
 * pixels for a pointer.
 */
export function nearestPoint(points: readonly Point[], at: Point, reach: number): number | undefined {
  let nearest: number | undefined;
  let shortest = reach;
  for (const [index, point] of points.entries()) {
    const distance = Math.hypot(point.x - at.x, point.y - at.y);
    if (distance > shortest) continue;
    shortest = distance;
    nearest = index;
  }
  return nearest;
}

/**
 * The evaluation whose area is at a point: of several, the smallest, because it lies on top. If that one is selected
 * already, the next larger one, so that each can be reached.
 */
export function areaAt(
  evaluations: readonly Evaluation[],
  point: Point,
  selected: number | undefined,
): Evaluation | undefined {
  const areas = evaluations
    .filter(({ Points }) => isInside(Points, point))
    .toSorted((one, other) => areaOf(one.Points) - areaOf(other.Points));
  return areas[(areas.findIndex(({ Id }) => Id === selected) + 1) % Math.max(1, areas.length)];
}

/** The distances of the grid that points snap to, in mm. 1 mm is the finest that a corner can have. */
export const snapSteps = [1, 10, 50, 100] as const;
export type SnapStep = (typeof snapSteps)[number];

export interface Snap {
  readonly step: SnapStep;
  /** Corners of other areas. They go before the grid. */
  readonly corners: readonly Point[];
  /** mm within which a corner attracts. */
  readonly reach: number;
  /** Returns the measured point near a point. Corners are preferred to it, and it is preferred to the grid. */
  readonly measuredNear?: ((point: Point) => Point | undefined) | undefined;
}

/** The corner near a point, else the measured point near it, else the nearest point of the grid. */
export function snapped(point: Point, { step, corners, reach, measuredNear }: Snap): Point {
  const near = nearestPoint(corners, point, reach);
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
    const near = nearestPoint(corners, moved, shortest);
    const target = near === undefined ? undefined : corners[near];
    if (target === undefined) continue;
    shortest = Math.hypot(target.x - moved.x, target.y - moved.y);
    best = { x: target.x - corner.x, y: target.y - corner.y };
  }
  if (best !== undefined) return best;
  const target = onGrid({ x: first.x + by.x, y: first.y + by.y }, step);
  return { x: target.x - first.x, y: target.y - first.y };
}
