import { getU64, setU64 } from '../u64.js';

/** The first four bytes of every telegram, whichever way they are read. */
export const startMarker = 0x02020202;

/** What a telegram of Compact is about, at byte 4. */
export const telegramType = { scan: 1, imu: 2, encoder: 4 } as const;

/** Where the type of a telegram stands. */
export const typeAt = 4;

export const crcBytes = 4;

/**
 * What telegrams of scans and encoders begin with; all numbers of Compact are little-endian:
 *
 * | offset | type | what |
 * |---|---|---|
 * | 0 | u32 | start marker 0x02020202 |
 * | 4 | u32 | type: 1 scan, 4 encoder |
 * | 8 | u64 | number of the telegram in its stream |
 * | 16 | u64 | time of transmission in µs |
 * | 24 | u32 | version: 3 or 4 of a scan, 1 of an encoder |
 * | 28 | u32 | bytes of the first module of a scan, 0 where there is none; of all that follows but the CRC of an encoder |
 *
 * The last four bytes are the CRC of everything in front of them.
 */
export const header = {
  sequence: 8,
  transmitTime: 16,
  version: 24,
  payloadBytes: 28,
  bytes: 32,
} as const;

/** What a header tells beside its type. */
export interface Header {
  readonly sequence: number;
  readonly transmitTime: number;
  readonly version: number;
  readonly payloadBytes: number;
}

export function writeHeader(view: DataView, type: number, told: Header): void {
  view.setUint32(0, startMarker, true);
  view.setUint32(typeAt, type, true);
  setU64(view, header.sequence, told.sequence);
  setU64(view, header.transmitTime, told.transmitTime);
  view.setUint32(header.version, told.version, true);
  view.setUint32(header.payloadBytes, told.payloadBytes, true);
}

/** Reads a header of which marker and type have been looked at; 32 bytes have to be there. */
export function readHeader(view: DataView): Header {
  return {
    sequence: getU64(view, header.sequence),
    transmitTime: getU64(view, header.transmitTime),
    version: view.getUint32(header.version, true),
    payloadBytes: view.getUint32(header.payloadBytes, true),
  };
}
