import { Decoder } from '@msgpack/msgpack';
import { TelegramError } from '../telegram-error.js';
import { elementBytes, elementType, key, littleEndian, payloadAt } from './layout.js';

/**
 * Items that an array may have: layers, or echoes. The library allocates room for them in advance, in each of nested
 * arrays: with this limit long arrays cost no more per byte than short ones.
 */
const mostItems = 64;

const names: ReadonlyMap<unknown, string> = new Map(
  Object.entries(key).map(([name, number]) => [number, name]),
);

/**
 * All members that layout.ts does not name, together. A number must not become a key as it is: an object makes room for
 * all the numbers below it, too.
 */
const unnamed = 'unnamed';

/**
 * Reads a payload of MessagePack: maps become objects with the names of layout.ts, bytes stay where they are. Whatever
 * the payload declares, it takes less than 300 bytes of memory for each of its own, for as long as it is read.
 * @throws TelegramError if it is not exactly one value.
 */
export function unpack(payload: Uint8Array): unknown {
  const decoder = new Decoder({
    maxArrayLength: mostItems,
    maxMapLength: payload.length,
    maxBinLength: payload.length,
    maxStrLength: payload.length,
    maxExtLength: payload.length,
    mapKeyConverter: (number) => names.get(number) ?? unnamed,
  });
  try {
    return decoder.decode(payload);
  } catch (error) {
    throw new TelegramError('one whole value of MessagePack', reasonOf(error), payloadAt);
  }
}

/** If a payload is cut off, the library only reports that it has read beyond the end. */
function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  const isCutOff = error instanceof RangeError && !reason.startsWith('Extra');
  return isCutOff ? 'one that is cut off' : `something else (${reason})`;
}

type Name = keyof typeof key;

/** A map of a telegram, with the names of layout.ts. The values are not checked yet. */
export type Members = Readonly<Partial<Record<Name, unknown>>>;

/**
 * The members of what has to be a map.
 * @param what names it in errors, as does `of` below.
 * @throws TelegramError if it is none.
 */
export function membersOf(value: unknown, what: string): Members {
  if (!isMap(value)) throw unexpected('a map', value, what);
  return value;
}

/** @throws TelegramError if it is missing, or not an array. */
export function arrayIn(members: Members, name: Name, of: string): readonly unknown[] {
  const value = members[name];
  if (!Array.isArray(value)) throw unexpected('an array', value, memberName(name, of));
  return value;
}

/** Whole numbers have 64 bits. Larger floats could make a sum infinite. */
const mostWhole = 2 ** 64;

/** @throws TelegramError if it is missing, or not a whole number from 0 on. */
export function wholeNumberIn(members: Members, name: Name, of: string): number {
  const value = numberIn(members, name, of);
  if (value < 0 || value > mostWhole || !Number.isInteger(value)) {
    throw unexpected('a whole number from 0 on, of 64 bits', value, memberName(name, of));
  }
  return value;
}

/** @throws TelegramError if it is missing, or not a number. */
export function numberIn(members: Members, name: Name, of: string): number {
  const value = members[name];
  if (typeof value !== 'number') throw unexpected('a number', value, memberName(name, of));
  return value;
}

/** @throws TelegramError if it is missing, or not a boolean. */
export function booleanIn(members: Members, name: Name, of: string): boolean {
  const value = members[name];
  if (typeof value !== 'boolean') throw unexpected('a boolean', value, memberName(name, of));
  return value;
}

/** A wrong value in the payload; its offset is not known. */
export function unexpected(expected: string, value: unknown, where: string): TelegramError {
  return new TelegramError(`${expected} for ${where}`, describeValue(value), payloadAt);
}

function memberName(name: Name, of: string): string {
  return `key ${key[name]} in ${of}`;
}

function isMap(value: unknown): value is Members {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
  );
}

/** What a value is, in words. */
function describeValue(value: unknown): string {
  if (value === undefined) return 'none';
  if (value === null) return 'nil';
  if (typeof value === 'number' || typeof value === 'boolean') return `${value}`;
  if (typeof value === 'string') return 'text';
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  return Array.isArray(value) ? `an array of ${value.length}` : 'a map';
}

/** An array of numbers in a telegram. */
export interface NumberArray {
  readonly count: number;
  /** Number `index` of it. */
  readonly value: (index: number) => number;
}

/**
 * Reads an array of numbers, in place.
 * @param what names it in errors.
 * @throws TelegramError if its type or the order of its bytes is not known, or its length does not fit.
 */
export function readArray(value: unknown, what: string): NumberArray {
  const members = membersOf(value, what);
  const { endian, data } = members;
  if (endian !== littleEndian) throw unexpected(`an array in little-endian (${littleEndian})`, endian, what);
  const types = arrayIn(members, 'elementTypes', what);
  const [type] = types;
  if (types.length !== 1) throw unexpected('one type of element', types, what);
  const size = typeof type === 'number' ? elementBytes[type] : undefined;
  if (typeof type !== 'number' || size === undefined) {
    throw unexpected('an array of f32, u8 or u16 (49, 51, 52)', type, what);
  }
  if (!(data instanceof Uint8Array) || data.length % size !== 0) {
    throw unexpected(`numbers of ${size} bytes`, data, what);
  }
  return { count: data.length / size, value: valueAt(data, type) };
}

function valueAt(bytes: Uint8Array, type: number): (index: number) => number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (type === elementType.f32) return (index) => view.getFloat32(4 * index, true);
  if (type === elementType.u16) return (index) => view.getUint16(2 * index, true);
  return (index) => view.getUint8(index);
}
