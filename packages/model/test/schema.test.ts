import { describe, expect, test } from 'vitest';
import {
  array,
  boolean,
  describeShape,
  enumeration,
  float,
  integer,
  ipv4,
  jsonSchema,
  levelName,
  mac,
  type Shape,
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

const described: readonly (readonly [string, Shape])[] = [
  ['boolean', boolean().shape],
  ['uint16', integer('uint16').shape],
  ['uint16 1..20', integer('uint16', { minimum: 1, maximum: 20 }).shape],
  ['uint16 1024..65535', integer('uint16', { minimum: 1024 }).shape],
  ['uint8 of 1 UDP, 2 TCP', enumeration({ UDP: 1, TCP: 2 }, 1).shape],
  ['float', float().shape],
  ['float -360..360', float({ minimum: -360, maximum: 360 }).shape],
  ['string of up to 32 characters', string({ maxLength: 32 }).shape],
  ['string of 4 characters', string({ minLength: 4, maxLength: 4 }).shape],
  ['string of 1 up to 4 characters', string({ minLength: 1, maxLength: 4 }).shape],
  ['IPv4 address, 4 uint8', ipv4([0, 0, 0, 0]).shape],
  ['MAC address, 6 uint8', mac([0, 0, 0, 0, 0, 0]).shape],
  ['array of 48: boolean', array(boolean(), { minItems: 48, maxItems: 48 }).shape],
  ['array of 0 to 3: float', array(float(), { maxItems: 3 }).shape],
  ['{ x: int32; on: boolean }', struct({ x: integer('int32'), on: boolean() }).shape],
  ['name of a user level', levelName().shape],
];

test.each(described)('a person reads a shape as "%s"', (words, shape) => {
  expect(describeShape(shape)).toBe(words);
});
