import type { Shape } from './types/value-type.js';

/** The largest JSON body that a request may have. */
export interface BodyBounds {
  /** Bytes of UTF-8. */
  readonly bytes: number;
  /** Depth of nested objects and arrays. */
  readonly depth: number;
}

/** Limit for every body, whatever its type would allow: 1 MiB. */
export const largestBody = 1024 * 1024;

/** Bytes for the body's own braces and `header`: five texts of 64 letters and their names, twice over. */
const envelopeBytes = 1024;

/** Depth of the body itself and of `data`. */
const envelopeDepth = 2;

/**
 * Additional depth that a value of a wrong type may have. It then gets status 2 (wrong type), not 1 (no valid JSON).
 */
const spareDepth = 2;

/**
 * Length of a number. The longest decimal of a 64-bit float has 24 characters; some clients write more digits than it
 * has.
 */
const numberBytes = 32;

/** A code point as two escapes of UTF-16, as in `"\ud83d\ude00"`. */
const codePointBytes = 12;

/** Length of a level name: the longest that is known, and as much again for wrong ones. */
const levelNameLength = 32;

/** Blanks for each level of depth: a tab, or up to eight spaces. */
const indentation = 8;

/** Bytes for a line end of two bytes, a comma, and the blanks around a colon. */
const betweenValues = 6;

/**
 * Returns the bounds of a POST whose `data` has this shape. They leave room for the largest value of the shape in the
 * longest form that clients write: each value on a line of its own behind eight blanks for each level, every letter as
 * an escape of six bytes, a number of 32 characters. A value slightly too long for its type is read, and then refused
 * with its own status.
 */
export function boundsOfShape(shape: Shape): BodyBounds {
  const bytes = envelopeBytes + largestJson(shape, 1);
  return {
    bytes: Math.min(largestBody, bytes),
    depth: Math.max(envelopeDepth, 1 + depthOf(shape)) + spareDepth,
  };
}

/**
 * Returns the bounds of a POST that writes a value of this shape. The value is in `data`, under the name of the
 * variable.
 */
export function boundsOfValue(shape: Shape): BodyBounds {
  return boundsOfShape({ kind: 'struct', members: { '': { shape, initial: undefined, optional: false } } });
}

/** Bounds of a POST to an unknown or read-only name. They leave room for a login, since the login counts as used. */
export const boundsOfNothing: BodyBounds = { bytes: envelopeBytes, depth: envelopeDepth + spareDepth };

/** Returns the bytes of the largest value, written at this depth. */
function largestJson(shape: Shape, depth: number): number {
  switch (shape.kind) {
    case 'boolean':
    case 'integer':
    case 'enumeration':
    case 'float':
      return numberBytes;
    case 'levelName':
      return textBytes(levelNameLength);
    case 'string':
      return textBytes(shape.maxLength);
    case 'address':
      return listBytes(shape.length, numberBytes, depth);
    case 'array':
      return listBytes(shape.maxItems, largestJson(shape.of, depth + 1), depth);
    case 'struct':
      return Object.entries(shape.members).reduce(
        (sum, [name, member]) =>
          sum + lineBytes(depth + 1) + textBytes(name.length) + largestJson(member.shape, depth + 1),
        bracketBytes(depth),
      );
  }
}

function textBytes(codePoints: number): number {
  return 2 + codePoints * codePointBytes;
}

function listBytes(count: number, itemBytes: number, depth: number): number {
  return bracketBytes(depth) + count * (lineBytes(depth + 1) + itemBytes);
}

function lineBytes(depth: number): number {
  return indentation * depth + betweenValues;
}

function bracketBytes(depth: number): number {
  return 2 + lineBytes(depth);
}

/** Returns the depth of nested objects and arrays. */
function depthOf(shape: Shape): number {
  switch (shape.kind) {
    case 'address':
      return 1;
    case 'array':
      return 1 + depthOf(shape.of);
    case 'struct':
      return 1 + Math.max(0, ...Object.values(shape.members).map((member) => depthOf(member.shape)));
    default:
      return 0;
  }
}
