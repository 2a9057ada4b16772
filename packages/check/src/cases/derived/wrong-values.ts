import type { Shape } from '@azimuth/model';
import type { Json } from '../../match/matcher.js';
import { type JsonObject, membersOf } from './json-value.js';
import { placesOf } from './places.js';

/** A value with a mistake in one place. */
export interface WrongValue {
  readonly at: string;
  /** The whole value. */
  readonly value: Json;
}

/** Returns values with one part of another JSON type. */
export function wrongTypes(shape: Shape, value: Json): readonly WrongValue[] {
  return placesOf(shape, value).flatMap((place) =>
    othersThan(place.shape).map((json) => ({ at: place.at, value: place.with(json) })),
  );
}

/** Returns JSON of other types: those that come nearest first, as a number in a text. */
function othersThan({ kind }: Shape): readonly Json[] {
  switch (kind) {
    case 'boolean':
      return [1, 'true'];
    case 'integer':
    case 'enumeration':
    case 'float':
      return ['1', true];
    case 'string':
    case 'levelName':
      return [5];
    case 'address':
      return ['192.168.0.1', {}];
    case 'array':
      return [{}];
    case 'struct':
      return [[], 'x'];
  }
}

/** Returns values with a fraction in place of a whole number. */
export function fractions(shape: Shape, value: Json): readonly WrongValue[] {
  return placesOf(shape, value).flatMap((place) => {
    const inside = wholeNumberIn(place.shape);
    return inside === undefined ? [] : [{ at: place.at, value: place.with(inside + 0.5) }];
  });
}

/** A whole number that a shape allows, with the next one if there is one; undefined if it is no number. */
function wholeNumberIn(shape: Shape): number | undefined {
  if (shape.kind === 'integer') return shape.minimum;
  return shape.kind === 'enumeration' ? Math.min(...Object.values(shape.values)) : undefined;
}

/** Returns values with null in one place. */
export function nulls(shape: Shape, value: Json): readonly WrongValue[] {
  return placesOf(shape, value).map((place) => ({ at: place.at, value: place.with(null) }));
}

/** Returns values that lack one required member of a struct. */
export function missingMembers(shape: Shape, value: Json): readonly WrongValue[] {
  return structsIn(shape, value).flatMap(({ at, members, shape: of, with: whole }) =>
    Object.entries(of.members)
      .filter(([, member]) => !member.optional)
      .map(([name]) => ({ at: `${at}.${name}`, value: whole(without(members, name)) })),
  );
}

/** Returns values with a member in a struct that the interface does not have. */
export function unknownMembers(shape: Shape, value: Json): readonly WrongValue[] {
  return structsIn(shape, value).map(({ at, members, with: whole }) => ({
    at,
    value: whole({ ...members, ThereIsNoSuchMember: 1 }),
  }));
}

function structsIn(shape: Shape, value: Json) {
  return placesOf(shape, value).flatMap((place) =>
    place.shape.kind === 'struct' ? [{ ...place, shape: place.shape, members: membersOf(place.value) }] : [],
  );
}

function without(members: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([member]) => member !== name));
}
