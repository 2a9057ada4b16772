import { expect, test } from 'vitest';
import { csvText } from '../src/csv.js';

test.each([
  ['plain', 'plain'],
  ['a, b', '"a, b"'],
  ['say "x"', '"say ""x"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['@x', "'@x"],
  ['-5', '-5'],
  ['-x', "'-x"],
  ['+1.5', '+1.5'],
])('the cell of %j is %j: one field, no formula, and numbers as they are', (text, cell) => {
  expect(csvText(['text', 'number'], [[text, 7]])).toBe(`text,number\r\n${cell},7\r\n`);
});

test('lines end as the caller wants', () => {
  expect(csvText(['a'], [[1], [-0.5]], '\n')).toBe('a\n1\n-0.5\n');
});
