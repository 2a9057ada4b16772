import { CdrReader, CdrWriter } from './cdr.js';
import { type Header, headerBytes, readHeader, writeHeader } from './header.js';

/** How the scanner turns and accelerates (sensor_msgs/Imu). */
export interface Imu extends Header {
  /** A unit quaternion w, x, y, z. */
  readonly orientation: readonly [number, number, number, number];
  /** About x, y, z in rad/s. */
  readonly angularVelocity: readonly [number, number, number];
  /** x, y, z in m/s². */
  readonly acceleration: readonly [number, number, number];
}

/** Covariances that are all zero mean: unknown. */
const unknownCovariance = 9;

export function imuBytes(imu: Imu): number {
  return headerBytes(imu) + 8 + 8 * (4 + 3 + 3 + 3 * unknownCovariance);
}

/**
 * Writes sensor_msgs/Imu. After the header, all f64, from the next multiple of 8 on: orientation x, y, z, w; 9
 * covariances; angular velocity; 9 covariances; acceleration; 9 covariances. The covariances are 0: unknown.
 * @param target where to write; a new array if it is left out
 * @returns the part that was written
 * @throws RangeError if `target` is too small
 */
export function encodeImuMessage(imu: Imu, target?: Uint8Array): Uint8Array {
  const cdr = new CdrWriter(target ?? new Uint8Array(imuBytes(imu)));
  const [w, x, y, z] = imu.orientation;
  writeHeader(cdr, imu);
  for (const values of [[x, y, z, w], imu.angularVelocity, imu.acceleration]) {
    for (const value of values) cdr.f64(value);
    for (let index = 0; index < unknownCovariance; index++) cdr.f64(0);
  }
  return cdr.end();
}

/** @throws TelegramError if it is cut off, or encoded in another way than plain CDR */
export function decodeImuMessage(payload: Uint8Array): Imu {
  const cdr = new CdrReader(payload);
  const header = readHeader(cdr);
  const vector = (): [number, number, number] => [cdr.f64(), cdr.f64(), cdr.f64()];
  const covariance = () => {
    for (let index = 0; index < unknownCovariance; index++) cdr.f64();
  };
  const [x, y, z] = vector();
  const w = cdr.f64();
  covariance();
  const angularVelocity = vector();
  covariance();
  const acceleration = vector();
  covariance();
  return { ...header, orientation: [w, x, y, z], angularVelocity, acceleration };
}
