import { BadTelegram, startMarker } from './bytes.js';
import { decodeEncoder, decodeImu, decodeScan, type EncoderTelegram, type ImuTelegram } from './compact.js';
import { decodeMsgpackScan } from './msgpack-scan.js';

export type Telegram =
  | { readonly kind: 'scan'; readonly segments: readonly Segment[]; readonly bytes: Buffer }
  | { readonly kind: 'imu'; readonly imu: ImuTelegram; readonly bytes: Buffer }
  | { readonly kind: 'encoder'; readonly encoder: EncoderTelegram; readonly bytes: Buffer };

/** Decodes a telegram of any kind. The bytes after the start marker state the kind. */
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

/** One segment of a scan as it came over the wire, in either format. Times in µs, angles in rad, distances in mm. */
export interface Segment {
  readonly format: 'Compact' | 'MSGPACK';
  readonly sequence: number;
  readonly transmitTime: number;
  readonly index: number;
  readonly frame: number;
  readonly sender: number;
  readonly beams: number;
  readonly echoes: number;
  readonly firstTime: number;
  readonly lastTime: number;
  readonly elevation: number;
  readonly firstAzimuth: number;
  readonly lastAzimuth: number;
  /** mm a count in Compact; 1 in MSGPACK. */
  readonly scale: number;
  readonly available: boolean;
  /** Of each beam; undefined if the telegram has none. */
  readonly azimuth: readonly number[] | undefined;
  /** Of each beam, as whole numbers; Compact only. */
  readonly azimuthCode: readonly number[] | undefined;
  /** Of each beam and echo; 0 for none. */
  readonly distance: readonly (readonly number[])[];
  readonly rssi: readonly (readonly number[])[] | undefined;
  /** Of each beam: one byte in Compact, one an echo in MSGPACK. */
  readonly properties: readonly (readonly number[])[] | undefined;
  /** Size of the telegram. */
  readonly bytes: number;
}

/** The echoes of a beam that there are, in mm. */
export function echoesOf(segment: Segment, beam: number): readonly number[] {
  return (segment.distance[beam] ?? []).filter((distance) => distance > 0);
}
