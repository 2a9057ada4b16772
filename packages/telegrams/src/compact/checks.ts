import { crc32 } from '../crc32.js';
import { TelegramError } from '../telegram-error.js';
import { crcBytes } from './header.js';

/**
 * Looks whether so many bytes are there.
 * @throws TelegramError where they are not.
 */
export function hasBytes(bytes: Uint8Array, wanted: number): void {
  if (bytes.length < wanted) {
    throw new TelegramError(`${wanted} bytes or more`, `${bytes.length} bytes`, bytes.length);
  }
}

/**
 * Looks whether the CRC at `at` is that of the bytes from `from` up to it.
 * @throws TelegramError where it is not, or where it is cut off.
 */
export function hasCrc(bytes: Uint8Array, at: number, from = 0): void {
  hasBytes(bytes, at + crcBytes);
  const expected = crc32(bytes.subarray(from, at));
  const came = new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);
  if (came !== expected) throw new TelegramError(`CRC ${hex(expected)}`, hex(came), at);
}

/**
 * Looks whether a version is one of those that are known.
 * @throws TelegramError where it is not.
 */
export function hasVersion(came: number, known: readonly number[], at: number): void {
  if (!known.includes(came)) throw new TelegramError(`version ${known.join(' or ')}`, `${came}`, at);
}

function hex(value: number): string {
  return `0x${value.toString(16).padStart(8, '0')}`;
}
