import { TelegramError } from '../telegram-error.js';
import type { ByteCursor } from './byte-cursor.js';

/** The most numbers that a set can hold (§9.4.2.6). */
export const mostInSet = 256;

/** Numbers of samples or fragments: `base` and some of the `count` numbers from it on. */
export interface NumberSet {
  readonly base: number;
  /** 0 to 256. */
  readonly count: number;
  /** The numbers that are in the set, in ascending order. */
  readonly members: readonly number[];
}

/** The highest number of a sample that a number can hold exactly. At 1000 samples a second it comes after ages. */
const highest = Number.MAX_SAFE_INTEGER;

/** A set of the numbers that are given, in ascending order. Those that are 256 or more above `base` are left out. */
export function numberSet(base: number, numbers: Iterable<number>): NumberSet {
  const members = [...numbers].filter((number) => number >= base && number < base + mostInSet);
  const last = members.at(-1);
  return { base, count: last === undefined ? 0 : last - base + 1, members };
}

/** Bytes of a bitmap for so many numbers, with the count before it. */
export function bitmapBytes(count: number): number {
  return 4 + 4 * Math.ceil(count / 32);
}

/**
 * The number of a sample: i32 of the upper half, u32 of the lower half (§9.3.2).
 * @throws TelegramError for a number below 0 or above 2^53
 */
export function readSequence(cursor: ByteCursor): number {
  const { at } = cursor;
  const upper = cursor.i32();
  const number = upper * 2 ** 32 + cursor.u32();
  if (upper < 0 || number > highest) throw new TelegramError('the number of a sample', `${number}`, at);
  return number;
}

export function writeSequence(view: DataView, at: number, number: number): void {
  view.setInt32(at, Math.floor(number / 2 ** 32), true);
  view.setUint32(at + 4, number % 2 ** 32, true);
}

/**
 * Reads a bitmap: u32 count, then as many words of 32 bits as it needs. The first number is the highest bit.
 * @throws TelegramError for a count above 256
 */
export function readBitmap(cursor: ByteCursor, base: number): NumberSet {
  const { at } = cursor;
  const count = cursor.u32();
  if (count > mostInSet) throw new TelegramError(`at most ${mostInSet} numbers`, `${count}`, at);
  const members: number[] = [];
  for (let first = 0; first < count; first += 32) {
    const word = cursor.u32();
    for (let bit = 0; bit < 32 && first + bit < count; bit++) {
      if ((word & (0x80000000 >>> bit)) !== 0) members.push(base + first + bit);
    }
  }
  return { base, count, members };
}

/** Writes the bitmap of a set. Returns the bytes that it takes. */
export function writeBitmap(view: DataView, at: number, { base, count, members }: NumberSet): number {
  view.setUint32(at, count, true);
  const bytes = bitmapBytes(count);
  for (let word = at + 4; word < at + bytes; word += 4) view.setUint32(word, 0, true);
  for (const number of members) {
    const place = number - base;
    const word = at + 4 + 4 * (place >>> 5);
    view.setUint32(word, view.getUint32(word, true) | (0x80000000 >>> (place & 31)), true);
  }
  return bytes;
}
