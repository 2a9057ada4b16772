import { imuDataOutput } from '@azimuth/model';
import { typed } from '../connection/declarations.js';
import { type Angles, anglesOf, type Quaternion, unitQuaternion, type Vector } from './orientation.js';

/** Measurement of the inertial measurement unit at one time. */
export interface Motion {
  /** m/s², with gravity. */
  readonly acceleration: Vector;
  /** rad/s */
  readonly angularVelocity: Vector;
  readonly orientation: Quaternion;
  readonly angles: Angles;
  /** µs, by the clock of the scanner. */
  readonly time: number;
}

const { InertialMeasurementUnit } = imuDataOutput.members;

/** The motion in a value of InertialMeasurementUnit; undefined if it has none. */
export function motionOf(json: unknown): Motion | undefined {
  const value = typed(InertialMeasurementUnit, json);
  const acceleration = value && vectorOf(value.Acceleration);
  const angularVelocity = value && vectorOf(value.AngularVelocity);
  const orientation = value && unitQuaternion(value.Orientation);
  if (!acceleration || !angularVelocity || !orientation) return undefined;
  const time = value.TimeStamp;
  return { acceleration, angularVelocity, orientation, angles: anglesOf(orientation), time };
}

function vectorOf([x, y, z]: readonly number[]): Vector | undefined {
  return x === undefined || y === undefined || z === undefined ? undefined : [x, y, z];
}

/** Columns of a chart: times (s since 1970 UTC), then a curve each. A null is a gap. */
export type Columns = readonly [number[], ...(number | null)[][]];

/** s that the curves show. */
export const shownTime = 60;
/** s between two stored values, at least. */
const leastPause = 0.05;

/** The motion of the last minute, for curves. */
export class MotionCurves {
  /** Yaw, pitch and roll, in degrees. */
  readonly angles: Columns = [[], [], [], []];
  /** Along x, y and z, in m/s². */
  readonly acceleration: Columns = [[], [], [], []];

  /** @param at s since 1970 UTC, by the clock of this computer */
  add(at: number, { angles: { yaw, pitch, roll }, acceleration }: Motion): void {
    const [times] = this.angles;
    const last = times.at(-1);
    if (last !== undefined && at - last < leastPause) return;
    append(
      this.angles,
      at,
      [yaw, pitch, roll].map((angle, index) => unlessJump(this.angles[index + 1], angle)),
    );
    append(this.acceleration, at, acceleration);
  }
}

/** An angle that goes on behind ±180° is at the other end of the scale: no line leads there. */
function unlessJump(curve: readonly (number | null)[] | undefined, angle: number): number | null {
  const last = curve?.at(-1);
  return typeof last === 'number' && Math.abs(angle - last) > 180 ? null : angle;
}

function append(columns: Columns, at: number, values: readonly (number | null)[]): void {
  const [times, ...curves] = columns;
  const kept = times.findIndex((time) => time >= at - shownTime);
  const old = kept < 0 ? times.length : kept;
  times.splice(0, old);
  times.push(at);
  for (const [index, curve] of curves.entries()) {
    curve.splice(0, old);
    curve.push(values[index] ?? null);
  }
}
