import { expect, test } from 'vitest';
import { csvCell, sizeText } from '../../src/parts/files.js';
import { WhileOpen } from '../../src/parts/waiting.js';

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
  expect(csvCell(text)).toBe(cell);
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [9999, '10.0 kB'],
  [10_000, '10 kB'],
  [999_999, '1000 kB'],
  [1_000_000, '1.0 MB'],
  [4_140_000, '4.1 MB'],
])('%d bytes are %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});

test('work goes on from open to close, once, however often it is opened', () => {
  const signals: AbortSignal[] = [];
  const work = new WhileOpen(async (aborted) => void signals.push(aborted));
  work.open();
  work.open();
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  work.close();
  work.close();
  work.open();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
});
