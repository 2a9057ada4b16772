import { isObject } from '../fault.js';
import { levelNames } from '../level.js';
import { widths } from './integer-format.js';
import type { Member, Shape } from './shape.js';

/** JSON Schema (2020-12), as far as the interface needs it; `x-` members carry what it has no word for. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** The schema of a shape, with its default where one is given. */
export function jsonSchema(shape: Shape, initial?: unknown): JsonSchema {
  const schema = bare(shape, initial);
  return initial === undefined ? schema : { ...schema, default: initial };
}

/** `initial` is handed down to the members of a struct: their defaults are its own. */
function bare(shape: Shape, initial?: unknown): JsonSchema {
  switch (shape.kind) {
    case 'boolean':
      return { type: 'boolean' };
    case 'integer':
      return { type: 'integer', format: shape.format, minimum: shape.minimum, maximum: shape.maximum };
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
      return { type: 'string', minLength: shape.minLength, maxLength: shape.maxLength };
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
