import type { Shape } from '@azimuth/model';
import type { Json } from '../../match/matcher.js';
import { itemsOf } from './json-value.js';
import { plainValue } from './other-value.js';
import { type Place, placesOf } from './places.js';

/** What a limit is of. */
export type LimitKind = 'range' | 'length' | 'values';

/** Status of a value beyond a limit. */
export const statusBeyond = { range: 6, length: 7, values: 9 } as const satisfies Record<LimitKind, number>;

/** A value at a limit, which is allowed, or the next one beyond it. */
export interface Edge {
  readonly kind: LimitKind;
  readonly at: string;
  /** The whole value. */
  readonly value: Json;
  readonly isAllowed: boolean;
}

/** Returns the limits of a shape, and of all its parts. */
export function edgesOf(shape: Shape, value: Json): readonly Edge[] {
  return placesOf(shape, value).flatMap(edgesAt);
}

function edgesAt(place: Place): readonly Edge[] {
  const { shape } = place;
  const edges = (kind: LimitKind, isAllowed: boolean, values: readonly Json[]) =>
    values.map((json): Edge => ({ kind, at: place.at, value: place.with(json), isAllowed }));
  const limits = (kind: LimitKind, allowed: readonly Json[], beyond: readonly Json[]) => [
    ...edges(kind, true, allowed),
    ...edges(kind, false, beyond),
  ];
  switch (shape.kind) {
    case 'integer':
      return limits('range', ends(shape), integersBeyond(shape));
    case 'float':
      return limits('range', isBounded(shape) ? ends(shape) : [], [
        below(shape.minimum),
        above(shape.maximum),
      ]);
    case 'enumeration':
      return limits('values', Object.values(shape.values), gaps(Object.values(shape.values)));
    case 'string':
      return limits('length', allowedTexts(shape), textsBeyond(shape));
    case 'address': {
      const bytes = itemsOf(place.value);
      return limits('length', [], [bytes.slice(0, -1), [...bytes, 0]]);
    }
    case 'array':
      return limits('length', listsAtLimits(place, shape), listsBeyond(place, shape));
    default:
      return [];
  }
}

interface Range {
  readonly minimum: number;
  readonly maximum: number;
}

function ends({ minimum, maximum }: Range): readonly number[] {
  return minimum === maximum ? [minimum] : [minimum, maximum];
}

/** A number of 64 bits has no JSON number beyond its maximum. */
function integersBeyond({ minimum, maximum }: Range): readonly number[] {
  return maximum < Number.MAX_SAFE_INTEGER ? [minimum - 1, maximum + 1] : [minimum - 1];
}

/** Largest float that no range of its own limits: its ends are those of the width. */
const unlimited = 1e38;

function isBounded({ maximum }: Range): boolean {
  return maximum < unlimited;
}

/** Returns a float that is less than the minimum, and is so also when it is rounded to 32 bits. */
function below(minimum: number): number {
  if (minimum < -unlimited) return -1e39;
  return minimum - Math.max(Math.abs(minimum) / 100_000, 1e-6);
}

function above(maximum: number): number {
  if (maximum > unlimited) return 1e39;
  return maximum + Math.max(Math.abs(maximum) / 100_000, 1e-6);
}

/** Returns numbers that are none of an enumeration: on both sides, between its values, and one that needs two bytes. */
function gaps(values: readonly number[]): readonly number[] {
  const least = Math.min(...values);
  const most = Math.max(...values);
  const between = Array.from({ length: most - least }, (_, index) => least + index).filter(
    (one) => !values.includes(one),
  );
  const [first, last] = [between.at(0), between.at(-1)];
  const inside = first === undefined || last === undefined ? [] : [...new Set([first, last])];
  return [...new Set([-1, least - 1, ...inside, most + 1, 256 + least])];
}

interface Length {
  readonly minLength: number;
  readonly maxLength: number;
}

/** A text of one length only has a form of its own. */
function allowedTexts({ minLength, maxLength }: Length): readonly string[] {
  return minLength === maxLength ? [] : ['x'.repeat(minLength), 'x'.repeat(maxLength)];
}

function textsBeyond({ minLength, maxLength }: Length): readonly string[] {
  return minLength > 0 ? ['x'.repeat(minLength - 1), 'x'.repeat(maxLength + 1)] : ['x'.repeat(maxLength + 1)];
}

interface ItemCount {
  readonly of: Shape;
  readonly minItems: number;
  readonly maxItems: number;
}

function listsAtLimits({ value }: Place, { of, minItems, maxItems }: ItemCount): readonly Json[] {
  if (minItems === maxItems) return [];
  return [listOf(of, value, minItems), listOf(of, value, maxItems)];
}

function listsBeyond({ value }: Place, { of, minItems, maxItems }: ItemCount): readonly Json[] {
  const longer = listOf(of, value, maxItems + 1);
  return minItems > 0 ? [listOf(of, value, minItems - 1), longer] : [longer];
}

/** Returns a list of so many items: those that are there first. */
function listOf(of: Shape, value: Json, count: number): Json {
  const items = itemsOf(value);
  const item = items.at(-1) ?? plainValue(of);
  return Array.from({ length: count }, (_, index) => items[index] ?? item);
}
