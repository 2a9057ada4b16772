import { array, boolean, integer, ipv4, string, struct } from '@azimuth/model';
import { expect, test } from 'vitest';
import { formattedLines, formatValue } from '../src/values/format-value.js';

const port = struct({
  Name: string({ maxLength: 9 }),
  Inner: struct({ On: boolean(), Level: integer('uint8') }),
});

const form = (shape: Parameters<typeof formatValue>[0], json: unknown) =>
  formattedLines(formatValue(shape, json));

test('lists of plain values take one line', () => {
  const { shape } = array(integer('uint8'), { maxItems: 9 });
  expect(form(shape, [1, 2, 3])).toEqual(['1, 2, 3']);
  expect(form(shape, [])).toEqual(['[]']);
});

test('lists of addresses take one line', () => {
  expect(
    form(array(ipv4([0, 0, 0, 0]), { maxItems: 9 }).shape, [
      [10, 0, 0, 1],
      [10, 0, 0, 2],
    ]),
  ).toEqual(['10.0.0.1, 10.0.0.2']);
});

test('structs in structs and in lists are indented below their name', () => {
  const value = { Name: 'A', Inner: { On: true, Level: 7 } };
  expect(form(array(port, { maxItems: 2 }).shape, [value])).toEqual([
    '[0]',
    '  Name  A',
    '  Inner',
    '    On     true',
    '    Level  7',
  ]);
});

test('equal items in succession are printed once', () => {
  const [a, b] = ['A', 'B'].map((Name) => ({ Name, Inner: {} }));
  expect(form(array(port, { maxItems: 9 }).shape, [a, a, a, b, a])).toEqual([
    ...['[0..2]', '  Name  A', '  Inner'],
    ...['[3]', '  Name  B', '  Inner'],
    ...['[4]', '  Name  A', '  Inner'],
  ]);
});

test('unknown members and values stay JSON', () => {
  expect(form(port.shape, { Name: 'A', Newer: { x: 1 } })).toEqual(['Name   A', 'Newer  {"x":1}']);
  expect(form(port.shape, [1])).toEqual(['[1]']);
  expect(form(ipv4([0, 0, 0, 0]).shape, 'none')).toEqual(['none']);
});

test('an empty value leaves no blanks after its name', () => {
  expect(form(port.shape, { Name: '' })).toEqual(['Name']);
});
