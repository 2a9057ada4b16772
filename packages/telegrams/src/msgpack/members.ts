import { TelegramError } from '../telegram-error.js';
import { key, payloadAt } from './layout.js';

type Name = keyof typeof key;

/** A map as it stands in a telegram, by the names of layout.ts: nothing is known of the values. */
export type Members = Readonly<Partial<Record<Name, unknown>>>;

/**
 * The members of what has to be a map.
 * @param what names it in errors, as does `of` below.
 * @throws TelegramError where it is none.
 */
export function membersOf(value: unknown, what: string): Members {
  if (!isMap(value)) throw unexpected('a map', value, what);
  return value;
}

/** @throws TelegramError where it is missing, or no array. */
export function arrayIn(members: Members, name: Name, of: string): readonly unknown[] {
  const value = members[name];
  if (!Array.isArray(value)) throw unexpected('an array', value, placeOf(name, of));
  return value;
}

/** Whole numbers have 64 bits. What floats can tell beyond would make infinity of any sum. */
const mostWhole = 2 ** 64;

/** @throws TelegramError where it is missing, or no whole number from 0 on. */
export function wholeNumberIn(members: Members, name: Name, of: string): number {
  const value = numberIn(members, name, of);
  if (value < 0 || value > mostWhole || !Number.isInteger(value)) {
    throw unexpected('a whole number from 0 on, of 64 bits', value, placeOf(name, of));
  }
  return value;
}

/** @throws TelegramError where it is missing, or no number. */
export function numberIn(members: Members, name: Name, of: string): number {
  const value = members[name];
  if (typeof value !== 'number') throw unexpected('a number', value, placeOf(name, of));
  return value;
}

/** @throws TelegramError where it is missing, or no boolean. */
export function booleanIn(members: Members, name: Name, of: string): boolean {
  const value = members[name];
  if (typeof value !== 'boolean') throw unexpected('a boolean', value, placeOf(name, of));
  return value;
}

/** Something in the payload is not as it has to be; where in it is not known. */
export function unexpected(expected: string, value: unknown, place: string): TelegramError {
  return new TelegramError(`${expected} for ${place}`, told(value), payloadAt);
}

function placeOf(name: Name, of: string): string {
  return `key ${key[name]} in ${of}`;
}

function isMap(value: unknown): value is Members {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
  );
}

/** What a value is, in words. */
function told(value: unknown): string {
  if (value === undefined) return 'none';
  if (value === null) return 'nil';
  if (typeof value === 'number' || typeof value === 'boolean') return `${value}`;
  if (typeof value === 'string') return 'text';
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  return Array.isArray(value) ? `an array of ${value.length}` : 'a map';
}
