import type { Shape } from '@azimuth/model';
import type { Json } from '../../match/matcher.js';
import { itemsOf, membersOf } from './json-value.js';
import { plainValue } from './other-value.js';

/** A place in the value of a variable, or in the request of a method. */
export interface Place {
  /** Empty for the whole value; else as in `.OutputSettings.Sources[0].Name`. */
  readonly at: string;
  readonly shape: Shape;
  /** What is there. */
  readonly value: Json;
  /** Returns the whole value with something else in this place. */
  with(json: Json): Json;
}

/**
 * Returns the places of a value: the whole, then its parts, the members of structs and the last item of each list. The last
 * item of the port configuration is a port that no plug has, so that no output switches.
 */
export function placesOf(shape: Shape, value: Json): readonly Place[] {
  return within({ at: '', shape, value, with: (json) => json });
}

function within(place: Place): readonly Place[] {
  return [place, ...partsOf(place).flatMap(within)];
}

function partsOf({ at, shape, value, with: whole }: Place): readonly Place[] {
  switch (shape.kind) {
    case 'struct': {
      const members = membersOf(value);
      return Object.entries(shape.members).flatMap(([name, member]) => {
        const json = members[name];
        if (json === undefined) return [];
        const replaced = (other: Json) => whole({ ...members, [name]: other });
        return [{ at: `${at}.${name}`, shape: member.shape, value: json, with: replaced }];
      });
    }
    case 'array':
      return lastItem(shape.of, itemsOf(value), at, whole);
    case 'address':
      return lastItem(byte, itemsOf(value), at, whole);
    default:
      return [];
  }
}

const byte: Shape = { kind: 'integer', format: 'uint8', minimum: 0, maximum: 255 };

/** The last item of a list. A list without items gets one. */
function lastItem(
  of: Shape,
  items: readonly Json[],
  at: string,
  whole: (json: Json) => Json,
): readonly Place[] {
  const before = items.slice(0, -1);
  const value = items.at(-1) ?? plainValue(of);
  return [{ at: `${at}[${before.length}]`, shape: of, value, with: (json) => whole([...before, json]) }];
}
