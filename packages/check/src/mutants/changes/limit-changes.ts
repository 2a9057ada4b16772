import type { Shape } from '@azimuth/model';
import { acceptsInPlaceOf, refusesParts } from './request-changes.js';

/** A number, a text or a list with its limits. */
interface Measured {
  readonly size: number;
  readonly least: number;
  readonly most: number;
}

function numberIn(shape: Shape, part: unknown): Measured | undefined {
  if (typeof part !== 'number' || (shape.kind !== 'integer' && shape.kind !== 'float')) return undefined;
  return { size: part, least: shape.minimum, most: shape.maximum };
}

function lengthIn(shape: Shape, part: unknown): Measured | undefined {
  if (shape.kind === 'string' && typeof part === 'string')
    return { size: [...part].length, least: shape.minLength, most: shape.maxLength };
  if (!Array.isArray(part)) return undefined;
  if (shape.kind === 'array') return { size: part.length, least: shape.minItems, most: shape.maxItems };
  return shape.kind === 'address'
    ? { size: part.length, least: shape.length, most: shape.length }
    : undefined;
}

/** True for the next value beyond a limit; of a float, also for one that is a little beyond. */
function isNext(shape: Shape, limit: number, size: number): boolean {
  const distance = shape.kind === 'float' ? Math.max(1, Math.abs(limit) / 10_000) : 1;
  return size !== limit && Math.abs(size - limit) <= distance;
}

/** The next number beyond a maximum, or below a minimum, is taken. */
export const takesNumberAboveMaximum = acceptsInPlaceOf((shape, part) => {
  const number = numberIn(shape, part);
  if (number === undefined) return part;
  return number.size > number.most && isNext(shape, number.most, number.size) ? number.most : part;
});

export const takesNumberBelowMinimum = acceptsInPlaceOf((shape, part) => {
  const number = numberIn(shape, part);
  if (number === undefined) return part;
  return number.size < number.least && isNext(shape, number.least, number.size) ? number.least : part;
});

/** A maximum or a minimum is refused. */
export const refusesMaximum = refusesParts('outOfRange', (shape, part) => {
  const number = numberIn(shape, part);
  return number !== undefined && number.size === number.most;
});

export const refusesMinimum = refusesParts('outOfRange', (shape, part) => {
  const number = numberIn(shape, part);
  return number !== undefined && number.size === number.least;
});

/** Texts and lists that are too long by one are taken. */
export const takesOneMore = acceptsInPlaceOf((shape, part) => {
  const length = lengthIn(shape, part);
  if (length === undefined || length.size !== length.most + 1) return part;
  if (typeof part === 'string') return part.slice(0, -1);
  return Array.isArray(part) ? part.slice(0, -1) : part;
});

/** Texts and lists that are too short by one are taken. */
export const takesOneLess = acceptsInPlaceOf((shape, part) => {
  const length = lengthIn(shape, part);
  if (length === undefined || length.size !== length.least - 1) return part;
  if (typeof part === 'string') return `${part}x`;
  return Array.isArray(part) ? [...part, part.at(-1)] : part;
});

/** The longest texts and lists are refused. */
export const refusesLongest = refusesParts('outOfBounds', (shape, part) => {
  const length = lengthIn(shape, part);
  return length !== undefined && length.size === length.most && length.least < length.most;
});

/** The shortest texts and lists are refused. */
export const refusesShortest = refusesParts('outOfBounds', (shape, part) => {
  const length = lengthIn(shape, part);
  return length !== undefined && length.size === length.least && length.least < length.most;
});

/** The greatest number of an enumeration is refused. */
export const refusesLastValue = refusesParts(
  'illegalValue',
  (shape, part) => shape.kind === 'enumeration' && part === Math.max(...Object.values(shape.values)),
);
