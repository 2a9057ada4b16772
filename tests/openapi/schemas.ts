import {
  array,
  boolean,
  enumeration,
  float,
  type IntegerFormat,
  integer,
  levelName,
  struct,
  string as text,
  type ValueType,
  widths,
} from '@azimuth/model';
import type { OpenApiDocument, Operation } from '@azimuth/model/openapi';
import {
  isObject,
  type JsonObject,
  array as list,
  number,
  object,
  parse,
  string,
} from '@azimuth/test-support/json';

/** Reads the schemas of a document, as JSON: no type of ours has a say in it. */
export class Schemas {
  readonly #document: JsonObject;

  constructor(document: OpenApiDocument) {
    this.#document = object(parse(JSON.stringify(document)));
  }

  response({ responses }: Operation): JsonObject | undefined {
    const response = this.#resolved(object(responses)['200']);
    return this.#jsonOf(response.content);
  }

  request({ requestBody }: Operation): JsonObject | undefined {
    return this.#jsonOf(requestBody?.content);
  }

  /** The schema at the end of a path of members; undefined where there is no such member. */
  member(schema: JsonObject | undefined, ...path: readonly string[]): JsonObject | undefined {
    let found = schema;
    for (const name of path) {
      const properties = found === undefined ? undefined : this.#resolved(found).properties;
      const property = isObject(properties) ? properties[name] : undefined;
      found = isObject(property) ? property : undefined;
    }
    return found;
  }

  /** The value type that a schema describes. */
  type(schema: JsonObject): ValueType<unknown> {
    const found = this.#resolved(schema);
    switch (found.type) {
      case 'boolean':
        return boolean(found.default === true);
      case 'integer':
        return found.enum === undefined ? integerOf(found) : enumerationOf(found);
      case 'number':
        return float(rangeOf(found));
      case 'string':
        return found.enum === undefined ? stringOf(found) : levelName();
      case 'array':
        return this.#array(found);
      case 'object':
        return this.#struct(found);
    }
    throw new TypeError(`no type is described by ${JSON.stringify(found)}`);
  }

  #array(schema: JsonObject): ValueType<unknown> {
    const { minItems, maxItems, default: initial } = schema;
    const counts = { minItems: number(minItems), maxItems: number(maxItems) };
    const of = this.type(object(schema.items));
    return array(of, initial === undefined ? counts : { ...counts, initial: list(initial) });
  }

  #struct({ properties, required = [] }: JsonObject): ValueType<unknown> {
    const members = Object.entries(object(properties)).map(
      ([name, schema]) => [name, this.type(object(schema))] as const,
    );
    const names = list(required).map(string);
    return struct(Object.fromEntries(members), {
      optional: members.map(([name]) => name).filter((name) => !names.includes(name)),
    });
  }

  #jsonOf(content: unknown): JsonObject | undefined {
    const media = isObject(content) ? content['application/json'] : undefined;
    return isObject(media) ? this.#resolved(media.schema) : undefined;
  }

  #resolved(schema: unknown): JsonObject {
    const { $ref } = object(schema);
    if ($ref === undefined) return object(schema);
    let found = this.#document;
    for (const step of string($ref).split('/').slice(1)) found = object(found[step]);
    return found;
  }
}

function integerOf(schema: JsonObject): ValueType<unknown> {
  return integer(formatOf(schema), rangeOf(schema));
}

function enumerationOf(schema: JsonObject): ValueType<unknown> {
  const values = list(schema.enum).map(number);
  const names = list(schema['x-enum-varnames']).map(string);
  const [first = 0] = values;
  const { default: initial = first } = schema;
  const named = names.map((name, index) => [name, values[index] ?? Number.NaN] as const);
  return enumeration(Object.fromEntries(named), number(initial), formatOf(schema));
}

function stringOf({ minLength, maxLength, default: initial }: JsonObject): ValueType<unknown> {
  return text({
    minLength: number(minLength),
    maxLength: number(maxLength),
    initial: initial === undefined ? undefined : string(initial),
  });
}

function rangeOf({ minimum, maximum, default: initial }: JsonObject) {
  const range = { minimum: number(minimum), maximum: number(maximum) };
  return initial === undefined ? range : { ...range, initial: number(initial) };
}

function formatOf({ format }: JsonObject): IntegerFormat {
  const name = string(format);
  if (!isFormat(name)) throw new TypeError(`${name} is no width of an integer`);
  return name;
}

function isFormat(name: string): name is IntegerFormat {
  return Object.hasOwn(widths, name);
}
