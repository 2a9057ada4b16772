import { expect, test } from 'vitest';
import { jsonText, printable } from '../src/output/output.js';
import { tableCell, tableLines } from '../src/output/table.js';

const hostile = 'a\u001b[31m\u009b31mb\u202ec\u2066d\u200be\u2028f\ud800';

test('what a terminal obeys is written as escapes', () => {
  expect(printable(hostile)).toBe('a\\u001b[31m\\u009b31mb\\u202ec\\u2066d\\u200be\\u2028f\\ud800');
  expect(printable('Tor 3, Größe 12 µm – 東 😀')).toBe('Tor 3, Größe 12 µm – 東 😀');
  expect(printable('\u{e0001}')).toBe('\\udb40\\udc01');
});

test('JSON for a terminal has the same escapes, and means the same', () => {
  const value = { [hostile]: [hostile, 1, null] };
  const text = jsonText(value);
  expect(text).toMatch(/^[\x20-\x7e]*$/);
  expect(JSON.parse(text)).toEqual(value);
});

test('indented JSON keeps its lines', () => {
  const value = { one: { two: 'a\nb\u0085c' } };
  expect(jsonText(value, 2).split('\n')).toEqual([
    '{',
    '  "one": {',
    '    "two": "a\\nb\\u0085c"',
    '  }',
    '}',
  ]);
});

test('a long cell is cut, by whole characters', () => {
  expect(tableCell('😀'.repeat(60))).toBe('😀'.repeat(60));
  expect(tableCell('😀'.repeat(61))).toBe(`${'😀'.repeat(59)}…`);
});

test('one long cell does not widen a table', () => {
  const [head = '', first = '', second = ''] = tableLines([
    ['NAME', 'STATE', 'WHY'],
    ['x'.repeat(100_000), 'on', 'y'.repeat(100_000)],
    ['gate', 'off', ''],
  ]);
  expect(head).toBe(`NAME${' '.repeat(58)}STATE  WHY`);
  expect(first).toHaveLength(60 + 2 + 5 + 2 + 200);
  expect(second).toBe(`gate${' '.repeat(58)}off`);
});
