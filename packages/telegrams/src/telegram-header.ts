import { crc32, crcBytes } from './crc32.js';
import { offsetsOf } from './layout.js';
import { assertBytes, TelegramError } from './telegram-error.js';

/** The first four bytes of every telegram of scan, IMU and encoder data. */
export const startMarker = 0x02020202;

/** The type of a telegram of Compact, at byte 4. */
export const telegramType = { scan: 1, imu: 2, encoder: 4 } as const;

/** What every telegram of Compact begins with. All numbers of Compact are little-endian. */
const beginning = {
  marker: { type: 'u32', values: { start: startMarker }, text: 'start marker' },
  type: { type: 'u32', values: telegramType, text: 'kind of the telegram' },
} as const;

/** Offset of the type of a telegram. */
export const typeAt: number = offsetsOf(beginning).type;

/**
 * Returns the declared type of a telegram. In MSGPACK it is the length of the payload.
 * @throws TelegramError if it does not begin like a telegram
 */
export function typeOf(bytes: Uint8Array): number {
  assertBytes(bytes, 8);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const marker = view.getUint32(0, true);
  if (marker !== startMarker) {
    throw new TelegramError('start marker 02020202', marker.toString(16).padStart(8, '0'), 0);
  }
  return view.getUint32(typeAt, true);
}

/** The header of telegrams of scans and encoders. The last four bytes are the CRC of everything in front of them. */
export const headerLayout = {
  ...beginning,
  sequence: { type: 'u64', text: 'number of the telegram in its stream' },
  transmitTime: { type: 'u64', unit: 'µs', text: 'time of transmission' },
  version: { type: 'u32', text: 'version: 3 or 4 of a scan, 1 of an encoder' },
  payloadBytes: {
    type: 'u32',
    unit: 'bytes',
    text: 'bytes that follow: of a scan those of the first module, 0 if there is none; of an encoder all, without the CRC',
  },
} as const;

/** Offsets in the header. */
export const header = offsetsOf(headerLayout);

/** The header of telegrams of the inertial measurement unit. */
export const shortHeaderLayout = {
  ...beginning,
  version: { type: 'u32', text: 'version: 1' },
} as const;

/** The end of a telegram. */
export const crcLayout = { crc: { type: 'u32', text: 'checksum: CRC-32 as in zlib and Ethernet' } } as const;

/** The fields of a header, except its type. */
export interface Header {
  readonly sequence: number;
  readonly transmitTime: number;
  readonly version: number;
  readonly payloadBytes: number;
}

export function writeHeader(view: DataView, type: number, fields: Header): void {
  view.setUint32(0, startMarker, true);
  view.setUint32(typeAt, type, true);
  setU64(view, header.sequence, fields.sequence);
  setU64(view, header.transmitTime, fields.transmitTime);
  view.setUint32(header.version, fields.version, true);
  view.setUint32(header.payloadBytes, fields.payloadBytes, true);
}

/** Reads a header whose marker and type have been checked. 32 bytes must be available. */
export function readHeader(view: DataView): Header {
  return {
    sequence: getU64(view, header.sequence),
    transmitTime: getU64(view, header.transmitTime),
    version: view.getUint32(header.version, true),
    payloadBytes: view.getUint32(header.payloadBytes, true),
  };
}

const two32 = 2 ** 32;

/** Writes a whole number of 64 bits, little-endian. A fraction is cut off. */
export function setU64(view: DataView, offset: number, value: number): void {
  // setUint32 writes the lower 32 bits of any number.
  view.setUint32(offset, value, true);
  view.setUint32(offset + 4, value / two32, true);
}

/** Reads a whole number of 64 bits, little-endian. Above 2^53 it is the nearest number. */
export function getU64(view: DataView, offset: number): number {
  return view.getUint32(offset + 4, true) * two32 + view.getUint32(offset, true);
}

/**
 * Returns the output of an encoder for a telegram of `size` bytes: the beginning of `target`, or a new array.
 * @throws RangeError if `target` is too small.
 */
export function outputFor(size: number, target: Uint8Array | undefined): Uint8Array {
  if (target === undefined) return new Uint8Array(size);
  if (target.length < size) {
    throw new RangeError(`a telegram of ${size} bytes does not fit into a target of ${target.length}`);
  }
  return target.length === size ? target : target.subarray(0, size);
}

/**
 * Checks that the CRC at `at` is correct for the bytes from `from` up to it.
 * @throws TelegramError if it is not, or is cut off.
 */
export function assertCrc(bytes: Uint8Array, at: number, from = 0): void {
  assertBytes(bytes, at + crcBytes);
  const expected = crc32(bytes.subarray(from, at));
  const came = new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);
  if (came !== expected) throw new TelegramError(`CRC ${hex(expected)}`, hex(came), at);
}

function hex(value: number): string {
  return `0x${value.toString(16).padStart(8, '0')}`;
}
