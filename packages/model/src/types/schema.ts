import { isObject, levelNames } from '../envelope.js';
import { widths } from './integer-format.js';
import type { Member, Shape } from './value-type.js';

/** JSON Schema (2020-12), as far as the interface needs it. `x-` members carry facts for which it has no member. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** Returns the schema of a shape, with its default if there is one. */
export function jsonSchema(shape: Shape, initial?: unknown): JsonSchema {
  const schema = bare(shape, initial);
  return initial === undefined ? schema : { ...schema, default: initial };
}

/** `initial` is handed down to the members of a struct: it holds their defaults. */
function bare(shape: Shape, initial?: unknown): JsonSchema {
  switch (shape.kind) {
    case 'boolean':
      return { type: 'boolean' };
    case 'integer':
      return {
        type: 'integer',
        format: shape.format,
        minimum: shape.minimum,
        maximum: shape.maximum,
        ...(shape.names === undefined ? {} : { 'x-names': shape.names }),
      };
    case 'enumeration':
      return {
        type: 'integer',
        format: shape.format,
        enum: Object.values(shape.values),
        'x-enum-varnames': Object.keys(shape.values),
      };
    case 'levelName':
      return { type: 'string', enum: levelNames };
    case 'float':
      return { type: 'number', format: 'float', minimum: shape.minimum, maximum: shape.maximum };
    case 'string':
      return {
        type: 'string',
        minLength: shape.minLength,
        maxLength: shape.maxLength,
        ...(shape.lines ? { 'x-lines': true } : {}),
      };
    case 'address':
      return {
        type: 'array',
        items: { type: 'integer', format: 'uint8', minimum: 0, maximum: widths.uint8.maximum },
        minItems: shape.length,
        maxItems: shape.length,
        'x-address': shape.of,
      };
    case 'array':
      return { type: 'array', items: bare(shape.of), minItems: shape.minItems, maxItems: shape.maxItems };
    case 'struct':
      return structSchema(shape.members, isObject(initial) ? initial : {});
  }
}

function structSchema(
  members: Readonly<Record<string, Member>>,
  initial: Readonly<Record<string, unknown>>,
): JsonSchema {
  const entries = Object.entries(members);
  return {
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([name, member]) => [
        name,
        jsonSchema(member.shape, Object.hasOwn(initial, name) ? initial[name] : member.initial),
      ]),
    ),
    required: entries.filter(([, member]) => !member.optional).map(([name]) => name),
    additionalProperties: false,
  };
}

/** Describes a shape for a person: `uint16 1..20`, `IPv4 address`, `string of up to 32 characters`. */
export function describeShape(shape: Shape): string {
  switch (shape.kind) {
    case 'boolean':
      return 'boolean';
    case 'integer': {
      const width = widths[shape.format];
      const isFullWidth = shape.minimum === width.minimum && shape.maximum === width.maximum;
      return isFullWidth ? shape.format : `${shape.format} ${shape.minimum}..${shape.maximum}`;
    }
    case 'enumeration':
      return `${shape.format} of ${Object.entries(shape.values)
        .map(([name, value]) => `${value} ${name}`)
        .join(', ')}`;
    case 'levelName':
      return 'name of a user level';
    case 'float':
      return shape.maximum > 1e38 ? 'float' : `float ${shape.minimum}..${shape.maximum}`;
    case 'string':
      return shape.minLength === shape.maxLength
        ? `string of ${shape.maxLength} characters`
        : `string of ${shape.minLength === 0 ? '' : `${shape.minLength} `}up to ${shape.maxLength} characters`;
    case 'address':
      return `${shape.of} address, ${shape.length} uint8`;
    case 'array': {
      const count =
        shape.minItems === shape.maxItems ? `${shape.maxItems}` : `${shape.minItems} to ${shape.maxItems}`;
      return `array of ${count}: ${describeShape(shape.of)}`;
    }
    case 'struct':
      return `{ ${Object.entries(shape.members)
        .map(([name, member]) => `${name}: ${describeShape(member.shape)}`)
        .join('; ')} }`;
  }
}
