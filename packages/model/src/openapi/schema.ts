import { isObject } from '../fault.js';
import type { JsonSchema } from '../types/schema.js';

export function schemaOf(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/**
 * A schema that says in words what each number of an enumeration stands for, wherever one is in it: JSON Schema has
 * no word for that, and not every tool shows `x-enum-varnames`.
 */
export function withNamedValues(schema: JsonSchema): JsonSchema {
  const { properties, items } = schema;
  return {
    ...schema,
    ...namedValues(schema),
    ...(isObject(properties) ? { properties: eachNamed(properties) } : {}),
    ...(isObject(items) ? { items: withNamedValues(items) } : {}),
  };
}

function eachNamed(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      isObject(property) ? withNamedValues(property) : property,
    ]),
  );
}

function namedValues(schema: JsonSchema): JsonSchema {
  const { enum: values, 'x-enum-varnames': names } = schema;
  if (!Array.isArray(values) || !Array.isArray(names)) return {};
  return { description: names.map((name, index) => `${values[index]} ${name}`).join(', ') };
}

/** A schema with a text in front of the description that it has already. */
export function introduced(text: string, schema: JsonSchema): JsonSchema {
  const { description } = schema;
  return { ...schema, description: description === undefined ? text : `${text} ${description}` };
}

/** An object with these members; all are required that are not named as optional. Further ones are ignored. */
export function objectOf(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
}

/** An object as `objectOf`, without any further member. */
export function closedObjectOf(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  return { ...objectOf(properties, optional), additionalProperties: false };
}
