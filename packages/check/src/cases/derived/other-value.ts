import type { Shape } from '@azimuth/model';
import type { Json } from '../../match/matcher.js';
import { itemsOf, membersOf } from './json-value.js';

/** Returns a value that a shape allows: zeros, blanks, the fewest items. */
export function plainValue(shape: Shape): Json {
  switch (shape.kind) {
    case 'boolean':
      return false;
    case 'integer':
    case 'float':
      return Math.min(Math.max(0, shape.minimum), shape.maximum);
    case 'enumeration':
      return Object.values(shape.values)[0] ?? 0;
    case 'levelName':
      return 'Service';
    case 'string':
      return ' '.repeat(shape.minLength);
    case 'address':
      return Array.from({ length: shape.length }, () => 0);
    case 'array':
      return Array.from({ length: shape.minItems }, () => plainValue(shape.of));
    case 'struct':
      return Object.fromEntries(
        Object.entries(shape.members).map(([name, member]) => [name, plainValue(member.shape)]),
      );
  }
}

/**
 * Returns another value that a shape allows. Each part differs from the given one, as far as there is another. Numbers next to
 * each other differ from each other, so that none can stand for another.
 * @param index number of the part among its neighbours
 */
export function otherValue(shape: Shape, value: Json, index = 0): Json {
  switch (shape.kind) {
    case 'boolean':
      return value !== true;
    case 'integer':
    case 'float':
      return otherNumber(shape, value, index);
    case 'enumeration': {
      const all = Object.values(shape.values);
      const next = (typeof value === 'number' ? all.indexOf(value) + 1 : 0) % all.length;
      return all[next] ?? value;
    }
    case 'levelName':
      return value;
    case 'string':
      return shape.minLength === shape.maxLength ? value : `check ${index + 1}`.slice(0, shape.maxLength);
    case 'address':
      return itemsOf(value).with(-1, otherByte(itemsOf(value).at(-1), index));
    case 'array': {
      const items = itemsOf(value);
      const all = items.length === 0 && shape.maxItems > 0 ? [plainValue(shape.of)] : items;
      return all.map((item, at) => (isChanged(at, all.length) ? otherValue(shape.of, item, at) : item));
    }
    case 'struct': {
      const members = membersOf(value);
      return Object.fromEntries(
        Object.entries(shape.members).map(([name, member], at) => [
          name,
          otherValue(member.shape, members[name] ?? null, at),
        ]),
      );
    }
  }
}

/** In longer lists every third item, and the last one, so that a list that is shifted or turned round is not equal. */
function isChanged(at: number, length: number): boolean {
  return at % 3 === 0 || at === length - 1;
}

function otherNumber(
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
  value: Json,
  index: number,
): number {
  const now = typeof value === 'number' ? value : minimum;
  const step = index + 1;
  if (now + step <= maximum) return now + step;
  return now - step >= minimum ? now - step : minimum;
}

function otherByte(value: Json | undefined, index: number): number {
  return value === index + 2 ? index + 3 : index + 2;
}
