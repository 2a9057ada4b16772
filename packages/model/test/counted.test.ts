import { expect, test } from 'vitest';
import { counted, lifeHours } from '../src/index.js';

test.each([
  [0, '0 scanners'],
  [1, '1 scanner'],
  [2, '2 scanners'],
])('%i of something are %s', (count, text) => {
  expect(counted(count, 'scanner')).toBe(text);
});

test('words with a plural of their own have it', () => {
  expect([1, 3].map((count) => counted(count, 'echo was', 'echoes were'))).toEqual([
    '1 echo was',
    '3 echoes were',
  ]);
});

test.each([
  [3, 0.35, 0.35],
  [3, 0.3, 0.3],
  [1234, 0.35, 123.4],
  [1234, undefined, 123.4],
  [0, 0.09, 0.09],
])('%i tenths of an hour in operation, %d h since power-on: a life of %d h', (opHours, daily, life) => {
  expect(lifeHours(opHours, daily)).toBeCloseTo(life, 9);
});
