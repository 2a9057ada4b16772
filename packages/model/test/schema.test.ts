import { describe, expect, test } from 'vitest';
import {
  array,
  boolean,
  enumeration,
  float,
  integer,
  ipv4,
  jsonSchema,
  levelName,
  string,
  struct,
} from '../src/index.js';

describe('the JSON Schema', () => {
  test('of an integer states its width and its range', () => {
    expect(jsonSchema(integer('uint16', { minimum: 1, maximum: 1000 }).shape, 10)).toEqual({
      type: 'integer',
      format: 'uint16',
      minimum: 1,
      maximum: 1000,
      default: 10,
    });
  });

  test('of an enumeration states its numbers, and their names beside them', () => {
    expect(jsonSchema(enumeration({ TX_NONE: 0, TX_CLIENT: 1, TX_PTP_SLAVE: 3 }, 0).shape)).toEqual({
      type: 'integer',
      format: 'uint8',
      enum: [0, 1, 3],
      'x-enum-varnames': ['TX_NONE', 'TX_CLIENT', 'TX_PTP_SLAVE'],
    });
  });

  test('of booleans, floats and strings states type and bounds', () => {
    expect(jsonSchema(boolean().shape, false)).toEqual({ type: 'boolean', default: false });
    expect(jsonSchema(float({ minimum: -360, maximum: 360 }).shape)).toEqual({
      type: 'number',
      format: 'float',
      minimum: -360,
      maximum: 360,
    });
    expect(jsonSchema(string({ maxLength: 32 }).shape, 'not defined')).toEqual({
      type: 'string',
      minLength: 0,
      maxLength: 32,
      default: 'not defined',
    });
  });

  test('of arrays and addresses states the items and how many there may be', () => {
    expect(jsonSchema(array(boolean(), { minItems: 2, maxItems: 5 }).shape)).toEqual({
      type: 'array',
      items: { type: 'boolean' },
      minItems: 2,
      maxItems: 5,
    });
    expect(jsonSchema(ipv4([0, 0, 0, 0]).shape)).toEqual({
      type: 'array',
      items: { type: 'integer', format: 'uint8', minimum: 0, maximum: 255 },
      minItems: 4,
      maxItems: 4,
      'x-address': 'IPv4',
    });
  });

  test('of a struct requires what a request may not leave out, allows no other member, and states defaults', () => {
    const type = struct(
      { name: string({ maxLength: 4 }), count: integer('uint8', { initial: 3 }) },
      { optional: ['name'] },
    );
    expect(jsonSchema(type.shape)).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 0, maxLength: 4, default: '' },
        count: { type: 'integer', format: 'uint8', minimum: 0, maximum: 255, default: 3 },
      },
      required: ['count'],
      additionalProperties: false,
    });
  });

  test('of the name of a user level lists the levels', () => {
    expect(jsonSchema(levelName().shape)).toEqual({
      type: 'string',
      enum: ['Run', 'Operator', 'Maintenance', 'AuthorizedClient', 'Service'],
    });
  });
});
