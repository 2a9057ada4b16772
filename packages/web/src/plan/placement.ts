import { mountingPosition } from '@azimuth/model';
import { typed } from '../connection/declarations.js';
import type { PlanPoint } from './plan.js';

const { SensorPosition } = mountingPosition.members;

/** rad per 1/10000°. */
const radPerUnit = Math.PI / 1_800_000;

/**
 * Where a scanner is on the floor plan. A point that it sees `u` m ahead and `v` m to its left is at
 * `x + xu·u + xv·v`, `y + yu·u + yv·v`. If the scanner is tilted, this is the point seen from above.
 */
export interface Placement {
  readonly x: number;
  readonly y: number;
  readonly xu: number;
  readonly xv: number;
  readonly yu: number;
  readonly yv: number;
}

/** A scanner in the middle of the plan, with its axis straight ahead. */
export const inTheMiddle: Placement = { x: 0, y: 0, xu: 1, xv: 0, yu: 0, yv: 1 };

/**
 * The placement by the mounting position: rotated by roll, then by pitch, then by yaw, about the axes of the machine.
 * @param json the value of SensorPosition; a scanner without one is in the middle
 */
export function placementOf(json: unknown): Placement {
  const position = typed(SensorPosition, json);
  if (position === undefined) return inTheMiddle;
  const { x, y, yaw, pitch, roll } = position;
  const [cosYaw, sinYaw] = [Math.cos(yaw * radPerUnit), Math.sin(yaw * radPerUnit)];
  const [cosPitch, sinPitch] = [Math.cos(pitch * radPerUnit), Math.sin(pitch * radPerUnit)];
  const [cosRoll, sinRoll] = [Math.cos(roll * radPerUnit), Math.sin(roll * radPerUnit)];
  return {
    x: x / 1000,
    y: y / 1000,
    xu: cosPitch * cosYaw,
    yu: cosPitch * sinYaw,
    xv: sinRoll * sinPitch * cosYaw - cosRoll * sinYaw,
    yv: sinRoll * sinPitch * sinYaw + cosRoll * cosYaw,
  };
}

export function isSamePlacement(one: Placement, other: Placement): boolean {
  return (
    one.x === other.x &&
    one.y === other.y &&
    one.xu === other.xu &&
    one.xv === other.xv &&
    one.yu === other.yu &&
    one.yv === other.yv
  );
}

/** The point on the plan (m) that is at x ahead of a scanner and y to its left, in mm. */
export function placed(
  placement: Placement,
  { x, y }: { readonly x: number; readonly y: number },
): PlanPoint {
  return pointAlong(placement, x, y, 0.001);
}

/** The point at a distance (m) along a beam. */
export function pointAlong(
  { x, y, xu, xv, yu, yv }: Placement,
  cos: number,
  sin: number,
  distance: number,
): PlanPoint {
  return {
    x: x + distance * (xu * cos + xv * sin),
    y: y + distance * (yu * cos + yv * sin),
  };
}
