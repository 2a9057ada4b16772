import { describeShape } from '../types/description.js';
import type { Member, Shape } from '../types/shape.js';
import { code } from './markdown.js';

/** A place in a value, as a row of a table: where, type, default. */
export type Row = readonly [at: string, type: string, initial: string];

/** The members of a struct, and theirs, down to what has none: `certificates[].issuer`. */
export function memberRows(members: Readonly<Record<string, Member>>, at = ''): Row[] {
  return Object.entries(members).flatMap(([name, { shape, initial, optional }]) => {
    const place = at === '' ? name : `${at}.${name}`;
    return placeRows(place, shape, initial, optional ? ' (may be left out)' : '');
  });
}

/** A value that is no struct; an array of structs has its members below it. */
export function placeRows(at: string, shape: Shape, initial: unknown, note = ''): Row[] {
  switch (shape.kind) {
    case 'struct':
      return memberRows(shape.members, at);
    case 'array': {
      if (shape.of.kind !== 'struct') break;
      const { minItems, maxItems } = shape;
      const count = minItems === maxItems ? `${maxItems}` : `${minItems} to ${maxItems}`;
      return [
        [code(at), `array of ${count} structs${note}`, minItems === 0 ? shownValue(initial) : ''],
        ...memberRows(shape.of.members, `${at}[]`),
      ];
    }
  }
  return [[code(at), `${describeShape(shape)}${note}`, shownValue(initial)]];
}

/** A value as JSON; nothing where none is stated, and a long array of one value as how often it stands there. */
export function shownValue(value: unknown): string {
  if (value === undefined) return '';
  const whole = JSON.stringify(value);
  if (!Array.isArray(value) || value.length < 8) return code(whole);
  const items = new Set(value.map((item) => JSON.stringify(item)));
  const [item = '', ...others] = items;
  return others.length === 0 ? `${value.length} times ${code(item)}` : code(whole);
}
