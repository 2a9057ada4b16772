import { BadTelegram, startMarker } from './bytes.js';
import { decodeEncoder, decodeImu, decodeScan, type EncoderTelegram, type ImuTelegram } from './compact.js';
import { decodeMsgpackScan } from './msgpack-scan.js';
import type { Segment } from './segment.js';

export type Telegram =
  | { readonly kind: 'scan'; readonly segments: readonly Segment[]; readonly bytes: Buffer }
  | { readonly kind: 'imu'; readonly imu: ImuTelegram; readonly bytes: Buffer }
  | { readonly kind: 'encoder'; readonly encoder: EncoderTelegram; readonly bytes: Buffer };

/** A telegram of whatever kind: what comes behind the start marker tells. */
export function decodeTelegram(bytes: Buffer): Telegram {
  if (bytes.length < 12) throw new BadTelegram(`${bytes.length} bytes are no telegram`);
  if (bytes.readUInt32LE(0) !== startMarker) {
    throw new BadTelegram(`start of frame: got ${bytes.subarray(0, 4).toString('hex')}`);
  }
  switch (bytes.readUInt32LE(4)) {
    case 1:
      return { kind: 'scan', segments: decodeScan(bytes), bytes };
    case 2:
      return { kind: 'imu', imu: decodeImu(bytes), bytes };
    case 4:
      return { kind: 'encoder', encoder: decodeEncoder(bytes), bytes };
    default:
      return { kind: 'scan', segments: [decodeMsgpackScan(bytes)], bytes };
  }
}
