import { expect, test } from 'vitest';
import { alignedLines, isolatedIn, pointAt, rangeAround } from '../../src/charts/lines.js';

test('lines with times of their own are drawn over the times of all, without gaps that nobody measured', () => {
  const lines = [
    {
      label: 'a',
      points: [
        [1000, 1],
        [3000, 3],
      ] as const,
    },
    {
      label: 'b',
      points: [
        [2000, 7],
        [3000, null],
      ] as const,
    },
  ];
  expect(alignedLines(lines)).toEqual([
    [1, 2, 3],
    [1, undefined, 3],
    [undefined, 7, null],
  ]);
});

test('a value between gaps has no line, so it is found for a dot', () => {
  expect(isolatedIn([1, 2, null, 4, null, null, 7])).toEqual([3, 6]);
  expect(isolatedIn([null, null])).toEqual([]);
});

test('the range around values is not narrower than asked for, and a little wider than they are', () => {
  expect(rangeAround(20, 21, 4)).toEqual([18.5, 22.5]);
  expect(rangeAround(0, 100, 4)).toEqual([-5, 105]);
});

test('a value holds until the next one', () => {
  const points = [
    [10, 1],
    [20, 2],
  ] as const;
  expect(pointAt(points, 19)).toEqual([10, 1]);
  expect(pointAt(points, 20)).toEqual([20, 2]);
  expect(pointAt(points, 9)).toBeUndefined();
});
