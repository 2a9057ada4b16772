import { crc32 } from '../crc32.js';
import { offsetsOf } from '../layout.js';
import { assertVersion, TelegramError } from '../telegram-error.js';
import {
  assertCrc,
  crcLayout,
  getU64,
  outputFor,
  setU64,
  shortHeaderLayout,
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

const space = ['x', 'y', 'z'] as const;

/** A telegram of the inertial measurement unit, 64 bytes with a short header of its own. */
export const imuLayout = {
  ...shortHeaderLayout,
  acceleration: { type: 'f32', of: space, unit: 'm/s²', text: 'acceleration' },
  angularVelocity: { type: 'f32', of: space, unit: 'rad/s', text: 'angular velocity' },
  orientation: { type: 'f32', of: ['w', ...space], text: 'orientation, a quaternion' },
  time: { type: 'u64', unit: 'µs', text: 'time' },
  ...crcLayout,
} as const;

/** Offsets in it. */
export const imuAt = offsetsOf(imuLayout);

export const imuVersion = 1;

/**
 * Writes a telegram of the inertial measurement unit (`imuLayout`).
 * @param target where to write; a new array by default.
 * @returns the part of it that was written, 64 bytes.
 * @throws RangeError if `target` is too small.
 */
export function encodeImu(telegram: ImuTelegram, target?: Uint8Array): Uint8Array {
  const bytes = outputFor(imuAt.bytes, target);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  view.setUint32(0, startMarker, true);
  view.setUint32(typeAt, telegramType.imu, true);
  view.setUint32(imuAt.version, imuVersion, true);
  writeFloats(view, imuAt.acceleration, telegram.acceleration);
  writeFloats(view, imuAt.angularVelocity, telegram.angularVelocity);
  writeFloats(view, imuAt.orientation, telegram.orientation);
  setU64(view, imuAt.time, telegram.time);
  view.setUint32(imuAt.crc, crc32(bytes.subarray(0, imuAt.crc)), true);
  return bytes;
}

function writeFloats(view: DataView, start: number, values: readonly number[]): void {
  values.forEach((value, index) => {
    view.setFloat32(start + 4 * index, value, true);
  });
}

/**
 * Reads a telegram of the inertial measurement unit (`imuLayout`) whose marker and type have been checked. Its CRC is at
 * the end of the datagram: more bytes than 64 are an error.
 * @throws TelegramError if it is not a complete telegram.
 */
export function decodeImu(bytes: Uint8Array): ImuTelegram {
  if (bytes.length !== imuAt.bytes) {
    throw new TelegramError(`${imuAt.bytes} bytes`, `${bytes.length} bytes`, bytes.length);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  assertVersion(view.getUint32(imuAt.version, true), [imuVersion], imuAt.version);
  assertCrc(bytes, imuAt.crc);
  const float = (at: number) => view.getFloat32(at, true);
  const { acceleration: a, angularVelocity: v, orientation: q } = imuAt;
  return {
    acceleration: [float(a), float(a + 4), float(a + 8)],
    angularVelocity: [float(v), float(v + 4), float(v + 8)],
    orientation: [float(q), float(q + 4), float(q + 8), float(q + 12)],
    time: getU64(view, imuAt.time),
  };
}
