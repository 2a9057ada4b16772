import type { ValueOf } from '@azimuth/model';
import type { ScanGeometry } from '../scan/scan.js';
import { angleOf, radPerDegree } from '../scan/scan.js';

/** The directions of beams: unit vectors, one number for each beam in each array. */
interface BeamDirections {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly z: Float64Array;
}

/** Rad per 1/10000°, the unit of the angles of SensorPosition. */
const radPerUnit = radPerDegree / 10_000;

/**
 * The directions of the beams of a mounted scanner in the coordinates of its machine. Without rotation the scanner
 * looks along x, with y to its left and z up. It is rotated by roll about x, then by pitch about y, then by yaw about
 * z, the axes of the machine: Rz(yaw) · Ry(pitch) · Rx(roll), each counter-clockwise when its axis points at you. So
 * with a positive pitch the scanner looks down. An echo at distance d is at d times the direction from x, y, z of
 * SensorPosition.
 */
export function beamDirections(
  geometry: ScanGeometry,
  { yaw, pitch, roll }: Pick<ValueOf<'SensorPosition'>, 'yaw' | 'pitch' | 'roll'>,
): BeamDirections {
  const [cosYaw, sinYaw] = [Math.cos(yaw * radPerUnit), Math.sin(yaw * radPerUnit)];
  const [cosPitch, sinPitch] = [Math.cos(pitch * radPerUnit), Math.sin(pitch * radPerUnit)];
  const [cosRoll, sinRoll] = [Math.cos(roll * radPerUnit), Math.sin(roll * radPerUnit)];
  const x = new Float64Array(geometry.beams);
  const y = new Float64Array(geometry.beams);
  const z = new Float64Array(geometry.beams);
  for (let beam = 0; beam < geometry.beams; beam++) {
    const angle = angleOf(geometry, beam) * radPerDegree;
    const ahead = Math.cos(angle);
    const left = Math.sin(angle) * cosRoll;
    const up = Math.sin(angle) * sinRoll;
    const pitchedAhead = ahead * cosPitch + up * sinPitch;
    x[beam] = pitchedAhead * cosYaw - left * sinYaw;
    y[beam] = pitchedAhead * sinYaw + left * cosYaw;
    z[beam] = up * cosPitch - ahead * sinPitch;
  }
  return { x, y, z };
}
