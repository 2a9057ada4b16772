import { array, boolean, float, integer, string } from '@azimuth/model';
import { expect, test } from 'vitest';
import { numberText, rangeText } from '../../src/forms/value-text.js';

const flags = (minItems: number, maxItems: number) => array(boolean(), { minItems, maxItems });

test.each([
  [integer('uint16', { minimum: 3, maximum: 60 }), '3 to 60'],
  [integer('uint8'), '0 to 255'],
  [integer('int32'), '-2147483648 to 2147483647'],
  // Nobody types numbers as large as these.
  [integer('uint32'), ''],
  [integer('uint32', { minimum: 1 }), '1 to 4294967295'],
  [float(), ''],
  [float({ minimum: -360, maximum: 360 }), '-360 to 360'],
  [string({ maxLength: 32 }), 'up to 32 characters'],
  [string({ minLength: 4, maxLength: 4, initial: '    ' }), '4 characters'],
  [flags(8, 8), ''],
  [flags(0, 12), 'up to 12'],
  [flags(2, 12), '2 to 12'],
  [boolean(), ''],
])('what a control takes is said in a few words: %#', ({ shape }, words) => {
  expect(rangeText(shape)).toBe(words);
});

test.each([
  [3, undefined, '3'],
  [3, 'mm', '3 mm'],
  [90, '°', '90°'],
  [900_000, '1/10000°', '90°'],
  [125, '1/10 h', '12.5 h'],
])('%d in %s is %s', (value, unit, text) => {
  expect(numberText(value, unit)).toBe(text);
});
