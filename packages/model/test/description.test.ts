import { expect, test } from 'vitest';
import {
  array,
  boolean,
  describeShape,
  enumeration,
  float,
  integer,
  ipv4,
  levelName,
  mac,
  type Shape,
  string,
  struct,
} from '../src/index.js';

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
