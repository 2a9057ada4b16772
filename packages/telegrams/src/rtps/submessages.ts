import { TelegramError } from '../telegram-error.js';
import type { ByteCursor } from './byte-cursor.js';
import type { EntityId, GuidPrefix } from './guid.js';

/** The supported kinds of submessages (DDSI-RTPS 2.5 §9.4.5.1.1). Others are skipped. */
export const submessageKind = {
  ackNack: 0x06,
  heartbeat: 0x07,
  gap: 0x08,
  infoTimestamp: 0x09,
  infoSource: 0x0c,
  infoDestination: 0x0e,
  nackFragment: 0x12,
  data: 0x15,
  dataFragment: 0x16,
} as const;

/** The lowest bit of the flags of every submessage: little-endian. */
export const littleEndianFlag = 0x01;

export const dataFlag = { inlineQos: 0x02, data: 0x04, key: 0x08 } as const;
export const dataFragmentFlag = { inlineQos: 0x02, key: 0x04 } as const;
export const heartbeatFlag = { final: 0x02 } as const;
export const ackNackFlag = { final: 0x02 } as const;
export const timestampFlag = { invalid: 0x02 } as const;

/** A sample: its content, or the end of an instance (then `statusInfo` has bits). */
export interface Data {
  readonly kind: 'data';
  readonly reader: EntityId;
  readonly writer: EntityId;
  readonly sequence: number;
  /** The parameters beside the content, by their identifiers; empty if there are none. */
  readonly inlineQos: ReadonlyMap<number, Uint8Array>;
  /** True if the content is only a key. */
  readonly isKey: boolean;
  /** The content with the four bytes of its encoding; empty if there is none. */
  readonly payload: Uint8Array;
}

/** A part of a sample that is larger than a datagram. */
export interface DataFragment {
  readonly kind: 'dataFragment';
  readonly reader: EntityId;
  readonly writer: EntityId;
  readonly sequence: number;
  /** Number of the first fragment in this submessage, from 1. */
  readonly first: number;
  readonly fragments: number;
  /** Bytes of every fragment but the last one. */
  readonly fragmentBytes: number;
  readonly sampleBytes: number;
  readonly payload: Uint8Array;
}

/** The samples of a writer. A reader responds unless it is final. */
export interface Heartbeat {
  readonly kind: 'heartbeat';
  readonly reader: EntityId;
  readonly writer: EntityId;
  readonly first: number;
  /** `first` − 1 if it has none. */
  readonly last: number;
  readonly count: number;
  readonly isFinal: boolean;
}

/**
 * The samples that a reader has (all below the base), and the missing ones. A writer responds with a heartbeat unless it is
 * final.
 */
export interface AckNack {
  readonly kind: 'ackNack';
  readonly reader: EntityId;
  readonly writer: EntityId;
  readonly missing: NumberSet;
  readonly count: number;
  readonly isFinal: boolean;
}

/** Fragments that a reader has not received. */
export interface NackFragment {
  readonly kind: 'nackFragment';
  readonly reader: EntityId;
  readonly writer: EntityId;
  readonly sequence: number;
  readonly missing: NumberSet;
  readonly count: number;
}

/** Samples that will not come: from `first` up to the base of the list, and those in the list. */
export interface Gap {
  readonly kind: 'gap';
  readonly reader: EntityId;
  readonly writer: EntityId;
  readonly first: number;
  readonly list: NumberSet;
}

/** The receiver of the following submessages; undefined for all. */
interface InfoDestination {
  readonly kind: 'infoDestination';
  readonly prefix: GuidPrefix | undefined;
}

/** The sender of the following submessages. */
interface InfoSource {
  readonly kind: 'infoSource';
  readonly prefix: GuidPrefix;
}

/** Time of the following samples: µs since 1970; undefined if the writer does not state it. */
interface InfoTimestamp {
  readonly kind: 'infoTimestamp';
  readonly time: number | undefined;
}

export type Submessage =
  | Data
  | DataFragment
  | Heartbeat
  | AckNack
  | NackFragment
  | Gap
  | InfoDestination
  | InfoSource
  | InfoTimestamp;

/** Largest number of members of a set (§9.4.2.6). */
export const mostInSet = 256;

/** Numbers of samples or fragments: `base` and some of the `count` numbers from it on. */
export interface NumberSet {
  readonly base: number;
  /** 0 to 256. */
  readonly count: number;
  /** The members of the set, in ascending order. */
  readonly members: readonly number[];
}

/** Largest number of a sample that a JavaScript number represents exactly. At 1000 samples a second it is never reached. */
const highest = Number.MAX_SAFE_INTEGER;

/** Returns a set of the given numbers, in ascending order. Numbers of `base` + 256 or more are left out. */
export function numberSet(base: number, numbers: Iterable<number>): NumberSet {
  const members = [...numbers].filter((number) => number >= base && number < base + mostInSet);
  const last = members.at(-1);
  return { base, count: last === undefined ? 0 : last - base + 1, members };
}

/** Returns the bytes of a bitmap for this many numbers, with the count before it. */
export function bitmapBytes(count: number): number {
  return 4 + 4 * Math.ceil(count / 32);
}

/**
 * Reads the number of a sample: i32 of the upper half, u32 of the lower half (§9.3.2).
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

/** Writes the bitmap of a set. Returns its number of bytes. */
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
