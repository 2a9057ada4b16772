import { CdrReader, CdrWriter } from './cdr.js';
import { type Header, headerBytes, readHeader, readStamp, writeHeader, writeStamp } from './message-types.js';

/** The pose and the motion of a vehicle on the ground (nav_msgs/Odometry). The header names the frame of the pose. */
export interface Odometry extends Header {
  /** The frame of the vehicle, whose motion is in its own axes. */
  readonly childFrameId: string;
  /** m. */
  readonly x: number;
  readonly y: number;
  /** rad, counter-clockwise. */
  readonly heading: number;
  /** m/s ahead. */
  readonly speed: number;
  /** rad/s, counter-clockwise. */
  readonly turn: number;
}

/** Numbers of a covariance: 6 × 6 for x, y, z and the rotations about them. */
const covariances = 36;

/**
 * Writes nav_msgs/Odometry: its header, the child frame as text, and f64, from a multiple of 8 on: position x, y, z;
 * orientation x, y, z, w; 36 covariances; linear x, y, z; angular x, y, z; 36 covariances. All covariances are 0, which means
 * that they are not known.
 */
export function encodeOdometry(odometry: Odometry): Uint8Array {
  const { x, y, heading, speed, turn, childFrameId } = odometry;
  const bytes = headerBytes(odometry) + 3 * childFrameId.length + 16 + 8 * (13 + 2 * covariances);
  const cdr = new CdrWriter(new Uint8Array(bytes));
  writeHeader(cdr, odometry);
  cdr.text(childFrameId);
  for (const value of [x, y, 0, 0, 0, Math.sin(heading / 2), Math.cos(heading / 2)]) cdr.f64(value);
  cdr.skip(8 * covariances);
  for (const value of [speed, 0, 0, 0, 0, turn]) cdr.f64(value);
  cdr.skip(8 * covariances);
  return cdr.end();
}

/**
 * Decodes the odometry of a vehicle on the ground. Its heading is above -π, up to π.
 * @throws TelegramError if it is cut off, or encoded in another way than plain CDR
 */
export function decodeOdometry(payload: Uint8Array): Odometry {
  const cdr = new CdrReader(payload);
  const header = readHeader(cdr);
  const childFrameId = cdr.text();
  const numbers = Array.from({ length: 13 + 2 * covariances }, () => cdr.f64());
  const [x = 0, y = 0, , , , sine = 0, cosine = 1] = numbers;
  const [speed = 0, , , , , turn = 0] = numbers.slice(7 + covariances);
  return { ...header, childFrameId, x, y, heading: 2 * Math.atan2(sine, cosine), speed, turn };
}

/** Writes rosgraph_msgs/Clock: i32 seconds, u32 nanoseconds. @param time whole µs */
export function encodeClock(time: number): Uint8Array {
  const cdr = new CdrWriter(new Uint8Array(12));
  writeStamp(cdr, time);
  return cdr.end();
}

/** Returns the time in whole µs. @throws TelegramError if it is cut off, or encoded in another way than plain CDR */
export function decodeClock(payload: Uint8Array): number {
  return readStamp(new CdrReader(payload));
}
