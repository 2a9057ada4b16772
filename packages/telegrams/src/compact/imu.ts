import { crc32 } from '../crc32.js';
import { assertVersion, TelegramError } from '../telegram-error.js';
import {
  assertCrc,
  getU64,
  outputFor,
  setU64,
  startMarker,
  telegramType,
  typeAt,
} from '../telegram-header.js';

/** The motion of the scanner, as in Compact (type 2): 32-bit floats. */
export interface ImuTelegram {
  /** x, y, z in m/s². */
  readonly acceleration: readonly [number, number, number];
  /** About x, y, z in rad/s. */
  readonly angularVelocity: readonly [number, number, number];
  /** A unit quaternion w, x, y, z. */
  readonly orientation: readonly [number, number, number, number];
  /** µs. */
  readonly time: number;
}

/**
 * A telegram of the inertial measurement unit, 64 bytes with a short header of its own:
 *
 * | offset | type | what |
 * |---|---|---|
 * | 0 | u32 | start marker 0x02020202 |
 * | 4 | u32 | type 2 |
 * | 8 | u32 | version 1 |
 * | 12 | f32 × 3 | acceleration x, y, z, m/s² |
 * | 24 | f32 × 3 | angular velocity about x, y, z, rad/s |
 * | 36 | f32 × 4 | orientation, a quaternion w, x, y, z |
 * | 52 | u64 | time in µs |
 * | 60 | u32 | CRC of everything in front of it |
 */
export const imuLayout = {
  version: 8,
  acceleration: 12,
  angularVelocity: 24,
  orientation: 36,
  time: 52,
  crc: 60,
  bytes: 64,
} as const;

export const imuVersion = 1;

/**
 * Writes a telegram of the inertial measurement unit (layout: above).
 * @param target where to write; a new array by default.
 * @returns the part of it that was written, 64 bytes.
 * @throws RangeError if `target` is too small.
 */
export function encodeImu(telegram: ImuTelegram, target?: Uint8Array): Uint8Array {
  const bytes = outputFor(imuLayout.bytes, target);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  view.setUint32(0, startMarker, true);
  view.setUint32(typeAt, telegramType.imu, true);
  view.setUint32(imuLayout.version, imuVersion, true);
  writeFloats(view, imuLayout.acceleration, telegram.acceleration);
  writeFloats(view, imuLayout.angularVelocity, telegram.angularVelocity);
  writeFloats(view, imuLayout.orientation, telegram.orientation);
  setU64(view, imuLayout.time, telegram.time);
  view.setUint32(imuLayout.crc, crc32(bytes.subarray(0, imuLayout.crc)), true);
  return bytes;
}

function writeFloats(view: DataView, start: number, values: readonly number[]): void {
  values.forEach((value, index) => {
    view.setFloat32(start + 4 * index, value, true);
  });
}

/**
 * Reads a telegram of the inertial measurement unit (layout: above) whose marker and type have been checked. Its CRC is at
 * the end of the datagram: more bytes than 64 are an error.
 * @throws TelegramError if it is not a complete telegram.
 */
export function decodeImu(bytes: Uint8Array): ImuTelegram {
  if (bytes.length !== imuLayout.bytes) {
    throw new TelegramError(`${imuLayout.bytes} bytes`, `${bytes.length} bytes`, bytes.length);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  assertVersion(view.getUint32(imuLayout.version, true), [imuVersion], imuLayout.version);
  assertCrc(bytes, imuLayout.crc);
  const float = (at: number) => view.getFloat32(at, true);
  const { acceleration: a, angularVelocity: v, orientation: q } = imuLayout;
  return {
    acceleration: [float(a), float(a + 4), float(a + 8)],
    angularVelocity: [float(v), float(v + 4), float(v + 8)],
    orientation: [float(q), float(q + 4), float(q + 8), float(q + 12)],
    time: getU64(view, imuLayout.time),
  };
}
