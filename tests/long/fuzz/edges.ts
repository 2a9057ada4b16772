import type { Dice } from '../../support/dice.js';
import { array, isObject, object } from '../../support/json.js';
import type { Schema } from './catalogue.js';
import { hostileValue, strangeNumber, strangerName, strangeString } from './hostile-json.js';

/** The JSON text of a value that a schema allows, at an edge of it wherever there is one. */
export function allowed(schema: Schema, dice: Dice): string {
  if (Array.isArray(schema.enum)) return JSON.stringify(dice.pick(schema.enum));
  switch (schema.type) {
    case 'boolean':
      return dice.pick(['true', 'false']);
    case 'integer':
    case 'number':
      return numberText(dice.pick([schema.minimum, schema.maximum, schema.default].filter(isNumber)));
    case 'string':
      return JSON.stringify('ä'.repeat(dice.pick([lengthOf(schema.minLength), longestOf(schema.maxLength)])));
    case 'array': {
      const length = dice.pick([lengthOf(schema.minItems), longestOf(schema.maxItems)]);
      return listed(schema, length, dice);
    }
    default:
      return membersOf(schema)
        .map(([name, part]) => `${JSON.stringify(name)}:${allowed(part, dice)}`)
        .join()
        .replace(/^.*$/s, '{$&}');
  }
}

/** The JSON text of a value with one place in it at an edge, just beyond one, or out of this world. */
export function edge(schema: Schema, dice: Dice): string {
  if (dice.percent(10)) return hostileValue(dice);
  switch (schema.type) {
    case 'integer':
    case 'number':
      return edgeNumber(schema, dice);
    case 'string':
      return edgeString(schema, dice);
    case 'array':
      return edgeArray(schema, dice);
    case 'object':
      return edgeObject(schema, dice);
    default:
      return dice.pick(['true', 'false', '0', '1', 'null', '"true"', '[]', '{}']);
  }
}

function edgeNumber(schema: Schema, dice: Dice): string {
  const edges = Array.isArray(schema.enum)
    ? [0, Math.min(...schema.enum.map(Number)) - 1, Math.max(...schema.enum.map(Number)) + 1]
    : [schema.minimum, schema.maximum].filter(isNumber);
  if (edges.length === 0 || dice.percent(30)) return strangeNumber(dice);
  const limit = dice.pick(edges);
  return numberText(limit + dice.pick([-1, 0, 0, 1, -0.5, 0.5]));
}

function edgeString(schema: Schema, dice: Dice): string {
  if (dice.percent(40)) return strangeString(dice);
  const longest = longestOf(schema.maxLength);
  const length = dice.pick([
    lengthOf(schema.minLength) - 1,
    lengthOf(schema.minLength),
    longest,
    longest + 1,
  ]);
  return JSON.stringify(dice.pick(['a', 'ä', '😀', ' ']).repeat(Math.max(0, length)));
}

function edgeArray(schema: Schema, dice: Dice): string {
  const [fewest, most] = [lengthOf(schema.minItems), longestOf(schema.maxItems)];
  if (most === 0 || dice.percent(50)) {
    return listed(schema, Math.max(0, dice.pick([fewest - 1, fewest, most, most + 1])), dice);
  }
  const length = Math.max(1, fewest);
  const at = dice.below(length);
  const items = Array.from({ length }, (_, index) =>
    (index === at ? edge : allowed)(object(schema.items), dice),
  );
  return `[${items.join()}]`;
}

function edgeObject(schema: Schema, dice: Dice): string {
  const members = membersOf(schema);
  const at = dice.below(members.length);
  const texts = members.map(
    ([name, part], index) => `${JSON.stringify(name)}:${(index === at ? edge : allowed)(part, dice)}`,
  );
  if (dice.percent(10)) texts.splice(at, 1);
  if (dice.percent(10)) texts.push(`${JSON.stringify(strangerName(dice))}:${hostileValue(dice)}`);
  if (dice.percent(10) && texts[at] !== undefined) texts.push(texts[at]);
  return `{${texts.join()}}`;
}

function listed(schema: Schema, length: number, dice: Dice): string {
  return `[${Array.from({ length }, () => allowed(object(schema.items), dice)).join()}]`;
}

function membersOf(schema: Schema): [string, Schema][] {
  const { properties } = schema;
  if (!isObject(properties)) return [];
  return Object.entries(properties).map(([name, part]) => [name, object(part)]);
}

function lengthOf(json: unknown): number {
  return typeof json === 'number' ? json : 0;
}

/** Where nothing is stated, short enough that a body holds it many times. */
function longestOf(json: unknown): number {
  return typeof json === 'number' ? Math.min(json, 2000) : 100;
}

function numberText(number: number): string {
  return JSON.stringify(number);
}

function isNumber(json: unknown): json is number {
  return typeof json === 'number';
}

/** A number of an enumeration that is not in it; undefined where a schema is no plain enumeration. */
export function notInEnumeration(schema: Schema): string | undefined {
  if (schema.type !== 'integer' || !Array.isArray(schema.enum)) return undefined;
  return String(Math.max(...array(schema.enum).map(Number)) + 1);
}
