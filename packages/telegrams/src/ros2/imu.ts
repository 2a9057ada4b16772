import { CdrReader, CdrWriter } from './cdr.js';
import { type Header, headerBytes, readHeader, writeHeader } from './message-types.js';

/** The motion of a frame (sensor_msgs/Imu). */
export interface ImuMessage extends Header {
  /** A unit quaternion w, x, y, z. */
  readonly orientation: readonly [number, number, number, number];
  /** About x, y, z in rad/s. */
  readonly angularVelocity: readonly [number, number, number];
  /** x, y, z in m/s². */
  readonly acceleration: readonly [number, number, number];
}

/** Numbers of a covariance: 3 × 3. */
const covariances = 9;

/**
 * Writes sensor_msgs/Imu: its header, and f64, from a multiple of 8 on: orientation x, y, z, w; 9 covariances; angular
 * velocity x, y, z; 9 covariances; linear acceleration x, y, z; 9 covariances. All covariances are 0, which means that
 * they are not known.
 */
export function encodeImuMessage(message: ImuMessage): Uint8Array {
  const [w, x, y, z] = message.orientation;
  const cdr = new CdrWriter(new Uint8Array(headerBytes(message) + 8 + 8 * (10 + 3 * covariances)));
  writeHeader(cdr, message);
  for (const values of [[x, y, z, w], message.angularVelocity, message.acceleration]) {
    for (const value of values) cdr.f64(value);
    cdr.skip(8 * covariances);
  }
  return cdr.end();
}

/** @throws TelegramError if it is cut off, or encoded in another way than plain CDR */
export function decodeImuMessage(payload: Uint8Array): ImuMessage {
  const cdr = new CdrReader(payload);
  const header = readHeader(cdr);
  const numbers = (count: number) => Array.from({ length: count }, () => cdr.f64());
  const [x = 0, y = 0, z = 0, w = 0] = numbers(4 + covariances);
  const [turnX = 0, turnY = 0, turnZ = 0] = numbers(3 + covariances);
  const [ahead = 0, left = 0, up = 0] = numbers(3 + covariances);
  return {
    ...header,
    orientation: [w, x, y, z],
    angularVelocity: [turnX, turnY, turnZ],
    acceleration: [ahead, left, up],
  };
}
