import { dataReduction, type Point, regionOfInterest, type Variable } from '@azimuth/model';
import { shapeAt } from '../forms/value-text.js';
import { directionOfKey } from '../plan/gestures.js';
import { anglesOf, directionOf, perDegree, pointAt, type Regions } from './regions.js';

const { LFPcubicareafilter, LFPradialDistanceRangeFilter } = regionOfInterest.members;
const { LFPangleRangeFilter } = dataReduction.members;

/** A member of a filter that a handle moves. */
interface Move {
  readonly member: string;
  /** The other end of its range. */
  readonly other: string;
  readonly isEnd: boolean;
  /** The coordinate of a point that it is. */
  readonly by: 'x' | 'y' | 'distance' | 'angle';
}

type Values = Readonly<Record<string, unknown>>;

/** A handle of a region, which a person drags or moves with the arrow keys. */
export interface RegionHandle {
  readonly name: string;
  readonly variable: Variable<unknown>;
  /** The filter with its present values. */
  readonly filter: Values;
  readonly moves: readonly Move[];
  /** mm */
  readonly at: Point;
}

function range(by: Move['by'], begin: string, end: string): readonly [begin: Move, end: Move] {
  return [
    { member: begin, other: end, isEnd: false, by },
    { member: end, other: begin, isEnd: true, by },
  ];
}

const [back, front] = range('x', 'lXMin', 'lXMax');
const [right, left] = range('y', 'lYMin', 'lYMax');
const [nearest, furthest] = range('distance', 'ulDistMin', 'ulDistMax');
const [first, last] = range('angle', 'fThetaStart', 'fThetaStop');

const grips: readonly (readonly [name: string, moves: readonly Move[]])[] = [
  ['Front side', [front]],
  ['Left side', [left]],
  ['Back side', [back]],
  ['Right side', [right]],
  ['Front left corner', [front, left]],
  ['Back left corner', [back, left]],
  ['Back right corner', [back, right]],
  ['Front right corner', [front, right]],
];

/** The handles of all filters that are on. @param reach distance of the handles of angles from the scanner, in mm */
export function handlesOf({ rectangle, distance, angle }: Regions, reach: number): readonly RegionHandle[] {
  const handles: RegionHandle[] = [];
  if (rectangle !== undefined) {
    const middle = {
      x: (rectangle.lXMin + rectangle.lXMax) / 2,
      y: (rectangle.lYMin + rectangle.lYMax) / 2,
    };
    for (const [name, moves] of grips) {
      const at = { ...middle };
      for (const { member, by } of moves) {
        if (by === 'x' || by === 'y') at[by] = numberIn(rectangle, member);
      }
      handles.push({ name, variable: LFPcubicareafilter, filter: rectangle, moves, at });
    }
  }
  if (distance !== undefined) {
    const { from, to } = anglesOf({ rectangle, distance, angle });
    const ring = { variable: LFPradialDistanceRangeFilter, filter: distance };
    const ahead = (from + to) / 2;
    handles.push(
      { ...ring, name: 'Shortest distance', moves: [nearest], at: pointAt(ahead, distance.ulDistMin) },
      { ...ring, name: 'Longest distance', moves: [furthest], at: pointAt(ahead, distance.ulDistMax) },
    );
  }
  if (angle !== undefined) {
    const sector = { variable: LFPangleRangeFilter, filter: angle };
    handles.push(
      { ...sector, name: 'First angle', moves: [first], at: pointAt(angle.fThetaStart, reach) },
      { ...sector, name: 'Last angle', moves: [last], at: pointAt(angle.fThetaStop, reach) },
    );
  }
  return handles;
}

/** The name of a handle with its values: `Front side, x 5000 mm`. */
export function handleText({ name, moves, filter }: RegionHandle): string {
  const values = moves.map(({ member, by }) => {
    const value = numberIn(filter, member);
    if (by === 'angle') return `${value / perDegree}°`;
    return by === 'distance' ? `${value} mm` : `${by} ${value} mm`;
  });
  return [name, ...values].join(', ');
}

/** Angles of a drag are multiples of this, in 1/10000°. */
const angleStep = perDegree / 2;

/**
 * The filter after its handle was dragged to a point (mm).
 * @param lengthStep mm; lengths are multiples of it
 */
export function dragged(handle: RegionHandle, to: Point, lengthStep: number): Values {
  return withMoves(handle, (move, before) => {
    if (move.by === 'angle') {
      // The short way round: behind the scanner, the direction jumps from 180° to -180°.
      const turn = halfTurns(directionOf(to) - before);
      return rounded(before + turn, angleStep);
    }
    return rounded(move.by === 'distance' ? Math.hypot(to.x, to.y) : to[move.by], lengthStep);
  });
}

/**
 * The filter after an arrow key moved its handle: by 10 mm or 1°, with shift by 100 mm or 10°; undefined for other keys.
 */
export function stepped(
  handle: RegionHandle,
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
): Values | undefined {
  const direction = directionOfKey(key);
  if (direction === undefined) return undefined;
  const { x, y } = direction;
  const factor = shiftKey ? 10 : 1;
  return withMoves(handle, ({ by }, before) => {
    if (by === 'angle') return before + (x + y) * perDegree * factor;
    return before + (by === 'distance' ? x - y : direction[by]) * 10 * factor;
  });
}

/** Lengths of a drag are multiples of one of these, in mm. */
const lengthSteps = [10, 20, 50, 100, 200, 500];

/** The finest step of lengths that a pointer can hit. @param pixel mm of a CSS pixel */
export function lengthStepFor(pixel: number): number {
  return lengthSteps.find((step) => step >= pixel) ?? 1000;
}

function withMoves(
  { variable, filter, moves }: RegionHandle,
  next: (move: Move, before: number) => number,
): Values {
  const changed = moves.map((move) => {
    const value = next(move, numberIn(filter, move.member));
    return [move.member, limited(variable, filter, move, value)];
  });
  return { ...filter, ...Object.fromEntries(changed) };
}

/** The nearest value that the model allows, and that does not pass the other end of the range. */
function limited(
  variable: Variable<unknown>,
  filter: Values,
  { member, other, isEnd }: Move,
  value: number,
): number {
  const shape = shapeAt(variable.type.shape, [member]);
  if (shape.kind !== 'integer') return value;
  const end = numberIn(filter, other);
  const least = isEnd ? Math.max(shape.minimum, end) : shape.minimum;
  const most = isEnd ? shape.maximum : Math.min(shape.maximum, end);
  return Math.min(Math.max(Math.round(value), least), most);
}

function numberIn(values: Values, member: string): number {
  return Number(values[member] ?? 0);
}

/** The same angle from −180° to 180°, in 1/10000°. */
function halfTurns(angle: number): number {
  const turn = 360 * perDegree;
  return angle - Math.round(angle / turn) * turn;
}

function rounded(value: number, step: number): number {
  return Math.round(value / step) * step;
}
