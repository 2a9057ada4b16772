import { array, isObject, object } from '@azimuth/test-support/json';
import type { SeededRandom } from '@azimuth/test-support/seeded-random';
import type { Schema } from './catalogue.js';
import { hostileValue, strangeNumber, strangeString, unknownName } from './hostile-json.js';

/** The JSON text of a value that a schema allows, at its limits where it has any. */
export function allowed(schema: Schema, random: SeededRandom): string {
  if (Array.isArray(schema.enum)) return JSON.stringify(random.pick(schema.enum));
  switch (schema.type) {
    case 'boolean':
      return random.pick(['true', 'false']);
    case 'integer':
    case 'number':
      return numberText(random.pick([schema.minimum, schema.maximum, schema.default].filter(isNumber)));
    case 'string':
      return JSON.stringify(
        'ä'.repeat(random.pick([lengthOf(schema.minLength), longestOf(schema.maxLength)])),
      );
    case 'array': {
      const length = random.pick([lengthOf(schema.minItems), longestOf(schema.maxItems)]);
      return listed(schema, length, random);
    }
    default:
      return membersOf(schema)
        .map(([name, part]) => `${JSON.stringify(name)}:${allowed(part, random)}`)
        .join()
        .replace(/^.*$/s, '{$&}');
  }
}

/** The JSON text of a value with one part at a limit, just beyond a limit, or entirely wrong. */
export function edge(schema: Schema, random: SeededRandom): string {
  if (random.percent(10)) return hostileValue(random);
  switch (schema.type) {
    case 'integer':
    case 'number':
      return edgeNumber(schema, random);
    case 'string':
      return edgeString(schema, random);
    case 'array':
      return edgeArray(schema, random);
    case 'object':
      return edgeObject(schema, random);
    default:
      return random.pick(['true', 'false', '0', '1', 'null', '"true"', '[]', '{}']);
  }
}

function edgeNumber(schema: Schema, random: SeededRandom): string {
  const edges = Array.isArray(schema.enum)
    ? [0, Math.min(...schema.enum.map(Number)) - 1, Math.max(...schema.enum.map(Number)) + 1]
    : [schema.minimum, schema.maximum].filter(isNumber);
  if (edges.length === 0 || random.percent(30)) return strangeNumber(random);
  const limit = random.pick(edges);
  return numberText(limit + random.pick([-1, 0, 0, 1, -0.5, 0.5]));
}

function edgeString(schema: Schema, random: SeededRandom): string {
  if (random.percent(40)) return strangeString(random);
  const longest = longestOf(schema.maxLength);
  const length = random.pick([
    lengthOf(schema.minLength) - 1,
    lengthOf(schema.minLength),
    longest,
    longest + 1,
  ]);
  return JSON.stringify(random.pick(['a', 'ä', '😀', ' ']).repeat(Math.max(0, length)));
}

function edgeArray(schema: Schema, random: SeededRandom): string {
  const [fewest, most] = [lengthOf(schema.minItems), longestOf(schema.maxItems)];
  if (most === 0 || random.percent(50)) {
    return listed(schema, Math.max(0, random.pick([fewest - 1, fewest, most, most + 1])), random);
  }
  const length = Math.max(1, fewest);
  const at = random.below(length);
  const items = Array.from({ length }, (_, index) =>
    (index === at ? edge : allowed)(object(schema.items), random),
  );
  return `[${items.join()}]`;
}

function edgeObject(schema: Schema, random: SeededRandom): string {
  const members = membersOf(schema);
  const at = random.below(members.length);
  const texts = members.map(
    ([name, part], index) => `${JSON.stringify(name)}:${(index === at ? edge : allowed)(part, random)}`,
  );
  if (random.percent(10)) texts.splice(at, 1);
  if (random.percent(10)) texts.push(`${JSON.stringify(unknownName(random))}:${hostileValue(random)}`);
  if (random.percent(10) && texts[at] !== undefined) texts.push(texts[at]);
  return `{${texts.join()}}`;
}

function listed(schema: Schema, length: number, random: SeededRandom): string {
  return `[${Array.from({ length }, () => allowed(object(schema.items), random)).join()}]`;
}

function membersOf(schema: Schema): [string, Schema][] {
  const { properties } = schema;
  if (!isObject(properties)) return [];
  return Object.entries(properties).map(([name, part]) => [name, object(part)]);
}

function lengthOf(json: unknown): number {
  return typeof json === 'number' ? json : 0;
}

/** Without a stated maximum: short enough that a body can contain it many times. */
function longestOf(json: unknown): number {
  return typeof json === 'number' ? Math.min(json, 2000) : 100;
}

function numberText(number: number): string {
  return JSON.stringify(number);
}

function isNumber(json: unknown): json is number {
  return typeof json === 'number';
}

/** A number that an enumeration does not contain; undefined if the schema is not a plain enumeration. */
export function notInEnumeration(schema: Schema): string | undefined {
  if (schema.type !== 'integer' || !Array.isArray(schema.enum)) return undefined;
  return String(Math.max(...array(schema.enum).map(Number)) + 1);
}
