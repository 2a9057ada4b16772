import { crc32 } from '../crc32.js';
import type { ImuTelegram } from '../imu-telegram.js';
import { placeFor } from '../place.js';
import { setU64 } from '../u64.js';
import { startMarker, telegramType, typeAt } from './header.js';
import { imuLayout, imuVersion } from './imu-layout.js';

/**
 * Writes a telegram of the inertial measurement unit (layout: imu-layout.ts).
 * @param target where to write; a new array where it is left out.
 * @returns the part of it that was written, 64 bytes.
 * @throws RangeError where `target` is too small.
 */
export function encodeImu(telegram: ImuTelegram, target?: Uint8Array): Uint8Array {
  const bytes = placeFor(imuLayout.bytes, target);
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
