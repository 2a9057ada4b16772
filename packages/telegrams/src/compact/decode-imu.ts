import type { ImuTelegram } from '../imu-telegram.js';
import { TelegramError } from '../telegram-error.js';
import { getU64 } from '../u64.js';
import { hasCrc, hasVersion } from './checks.js';
import { imuLayout, imuVersion } from './imu-layout.js';

/**
 * Reads a telegram of the inertial measurement unit (layout: imu-layout.ts) of which marker and type have been looked
 * at. Its CRC is the last thing in a datagram: more bytes than 64 are a fault.
 * @throws TelegramError where it is none, or not a whole one.
 */
export function decodeImu(bytes: Uint8Array): ImuTelegram {
  if (bytes.length !== imuLayout.bytes) {
    throw new TelegramError(`${imuLayout.bytes} bytes`, `${bytes.length} bytes`, bytes.length);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  hasVersion(view.getUint32(imuLayout.version, true), [imuVersion], imuLayout.version);
  hasCrc(bytes, imuLayout.crc);
  const float = (at: number) => view.getFloat32(at, true);
  const { acceleration: a, angularVelocity: v, orientation: q } = imuLayout;
  return {
    acceleration: [float(a), float(a + 4), float(a + 8)],
    angularVelocity: [float(v), float(v + 4), float(v + 8)],
    orientation: [float(q), float(q + 4), float(q + 8), float(q + 12)],
    time: getU64(view, imuLayout.time),
  };
}
