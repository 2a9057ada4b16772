import { isObject, levelNames, Refusal } from '../envelope.js';
import { array, ipv4, mac } from '../types/array.js';
import { boolean, enumeration, levelName } from '../types/enumeration.js';
import { float, floatRange } from '../types/float.js';
import { integer } from '../types/integer.js';
import { type IntegerFormat, widths } from '../types/integer-format.js';
import { string } from '../types/string.js';
import { struct } from '../types/struct.js';
import type { ValueType } from '../types/value-type.js';
import {
  countWithin,
  isEndpointName,
  isValueName,
  longestText,
  mostDepth,
  mostItems,
  mostLeaves,
  mostMembers,
  mostParts,
  numberWithin,
} from './bounds.js';

type Schema = Readonly<Record<string, unknown>>;

/** A schema that describes no type of the interface, or one beyond the bounds. */
class NoType extends Error {}

/**
 * Reads the types out of the schemas of one description: the inverse of `jsonSchema`. The schemas may be hostile. All
 * types together have a bounded number of parts.
 */
export class SchemaTypes {
  #parts = 0;

  /** Returns the type that a schema describes, with its default; undefined if it describes none of the interface. */
  typeOf(schema: unknown): ValueType<unknown> | undefined {
    try {
      return this.#type(schema, 0).type;
    } catch (error) {
      if (error instanceof NoType) return undefined;
      throw error;
    }
  }

  /** @param depth the number of structs and lists around it */
  #type(schema: unknown, depth: number): SizedType {
    if (!isObject(schema) || depth > mostDepth || ++this.#parts > mostParts) throw new NoType();
    switch (schema.type) {
      case 'boolean':
        return leaf(boolean(schema.default === true));
      case 'integer':
        return leaf(schema.enum === undefined ? this.#integer(schema) : this.#enumeration(schema));
      case 'number':
        return leaf(floatOf(schema));
      case 'string':
        return leaf(textOf(schema));
      case 'array':
        return schema['x-address'] === undefined ? this.#list(schema, depth) : leaf(addressOf(schema));
      case 'object':
        return this.#struct(schema, depth);
      default:
        throw new NoType();
    }
  }

  #integer(schema: Schema): ValueType<number> {
    const format = formatOf(schema);
    const { minimum, maximum } = rangeOf(schema, widths[format]);
    if (!Number.isInteger(minimum) || !Number.isInteger(maximum)) throw new NoType();
    const stated = schema['x-names'];
    const names = isObject(stated) ? this.#named(Object.entries(stated), format) : undefined;
    return withDefault(integer(format, { minimum, maximum, names }), schema);
  }

  #enumeration(schema: Schema): ValueType<number> {
    const format = formatOf(schema);
    const { enum: numbers, 'x-enum-varnames': stated } = schema;
    if (!Array.isArray(numbers) || numbers.length === 0 || numbers.length > mostMembers) throw new NoType();
    const names: readonly unknown[] = Array.isArray(stated) ? stated : numbers.map(String);
    const values = this.#named(
      numbers.map((number: unknown, index): [unknown, unknown] => [names[index], number]),
      format,
    );
    const first = Object.values(values)[0] ?? 0;
    return withDefault<number>(enumeration(values, first, format), schema);
  }

  /** Returns numbers by their names, each name once. */
  #named(entries: readonly [unknown, unknown][], format: IntegerFormat): Readonly<Record<string, number>> {
    const { minimum, maximum } = widths[format];
    const named = new Map<string, number>();
    for (const [name, json] of entries) {
      const number = countWithin(json, minimum, maximum);
      const isNew = typeof name === 'string' && isValueName(name) && !named.has(name);
      if (number === undefined || !isNew || ++this.#parts > mostParts) throw new NoType();
      named.set(name, number);
    }
    return Object.fromEntries(named);
  }

  #list(schema: Schema, depth: number): SizedType {
    const minItems = countWithin(schema.minItems ?? 0, 0, mostItems);
    const maxItems = countWithin(schema.maxItems ?? mostItems, 0, mostItems);
    const item = this.#type(schema.items, depth + 1);
    if (minItems === undefined || maxItems === undefined || minItems > maxItems) throw new NoType();
    const leaves = atMost(1 + minItems * item.leaves);
    return { type: withDefault(array(item.type, { minItems, maxItems }), schema), leaves };
  }

  #struct(schema: Schema, depth: number): SizedType {
    const { properties, required } = schema;
    const entries = isObject(properties) ? Object.entries(properties) : [];
    if (entries.length > mostMembers || !entries.every(([name]) => isEndpointName(name))) throw new NoType();
    const members = entries.map(([name, member]) => [name, this.#type(member, depth + 1)] as const);
    const needed = new Set<unknown>(Array.isArray(required) ? required : []);
    const optional = entries.map(([name]) => name).filter((name) => !needed.has(name));
    const type = struct(Object.fromEntries(members.map(([name, { type }]) => [name, type])), { optional });
    const leaves = atMost(members.reduce((sum, [, member]) => sum + member.leaves, 1));
    return { type: withDefault<unknown>(type, schema), leaves };
  }
}

/** A type with the number of leaves in its default. */
interface SizedType {
  readonly type: ValueType<unknown>;
  readonly leaves: number;
}

function leaf(type: ValueType<unknown>): SizedType {
  return { type, leaves: 1 };
}

function atMost(leaves: number): number {
  if (leaves > mostLeaves) throw new NoType();
  return leaves;
}

function formatOf({ format }: Schema): IntegerFormat {
  const known = Object.keys(widths).find((name): name is IntegerFormat => name === format);
  if (known === undefined) throw new NoType();
  return known;
}

/** Returns the stated range, or the whole one. */
function rangeOf(
  schema: Schema,
  whole: { readonly minimum: number; readonly maximum: number },
): { minimum: number; maximum: number } {
  const minimum = numberWithin(schema.minimum ?? whole.minimum, whole.minimum, whole.maximum);
  const maximum = numberWithin(schema.maximum ?? whole.maximum, whole.minimum, whole.maximum);
  if (minimum === undefined || maximum === undefined || minimum > maximum) throw new NoType();
  return { minimum, maximum };
}

function floatOf(schema: Schema): ValueType<number> {
  return withDefault(float(rangeOf(schema, floatRange)), schema);
}

function textOf(schema: Schema): ValueType<string> {
  if (isLevelName(schema)) return withDefault(levelName(), schema);
  const minLength = countWithin(schema.minLength ?? 0, 0, longestText);
  const maxLength = countWithin(schema.maxLength ?? longestText, 0, longestText);
  if (minLength === undefined || maxLength === undefined || minLength > maxLength) throw new NoType();
  return withDefault(string({ minLength, maxLength, lines: schema['x-lines'] === true }), schema);
}

function isLevelName({ enum: names }: Schema): boolean {
  return Array.isArray(names) && levelNames.every((name, index) => name === names[index]);
}

function addressOf(schema: Schema): ValueType<readonly number[]> {
  if (schema['x-address'] === 'IPv4') return withDefault(ipv4([0, 0, 0, 0]), schema);
  if (schema['x-address'] === 'MAC') return withDefault(mac([0, 0, 0, 0, 0, 0]), schema);
  throw new NoType();
}

/** Returns a type with the stated default, if there is one that the type allows. */
function withDefault<T>(type: ValueType<T>, schema: Schema): ValueType<T> {
  if (schema.default === undefined) return type;
  try {
    return { ...type, initial: type.fromJson(schema.default, '') };
  } catch (error) {
    if (error instanceof Refusal) return type;
    throw error;
  }
}
