import { expect, test } from 'vitest';
import { between, figure, shareOf, sortedCurves, stretchesOf } from '../../src/site-history/curves.js';

const curve = (name: string, ...values: (number | null)[]) => ({
  ...{ name, label: name, unit: '' },
  points: values.map((value, index) => [index * 1000, value] as const),
});

test('curves that change are apart from those that do not, and from those without a value', () => {
  const { changing, constant, unknown } = sortedCurves([
    curve('temperature', 40, 41.5, null),
    curve('unsaved', 0, null, 0),
    curve('drift', null, null),
    curve('clock'),
  ]);
  expect(changing).toMatchObject([
    { name: 'temperature', least: 40, largest: 41.5, newest: 41.5, isCurrent: false },
  ]);
  expect(constant).toMatchObject([{ name: 'unsaved', newest: 0, isCurrent: true }]);
  expect(unknown.map(({ name }) => name)).toEqual(['drift', 'clock']);
});

test('all curves begin and end together, and the last value holds until the end', () => {
  const points = [
    [1000, 1],
    [2000, 2],
    [5000, 5],
  ] as const;
  expect(between(points, 500, 6000)).toEqual([[500, null], ...points, [6000, 5]]);
  expect(between(points, 1000, 5000)).toEqual(points);
  expect(between(points, 1500, 3000)).toEqual([
    [1500, null],
    [2000, 2],
    [3000, 2],
  ]);
  expect(between([], 0, 10)).toEqual([
    [0, null],
    [10, null],
  ]);
  expect(between([[1, null]], 0, 10).at(-1)).toEqual([10, null]);
});

test('stretches of time with the same presence are one', () => {
  const points = [
    [0, null],
    [10, 100],
    [20, 100],
    [30, 40],
    [40, 0],
    [60, 100],
    [90, 100],
  ] as const;
  expect(stretchesOf(points)).toEqual([
    { from: 0, to: 10, presence: 'unknown' },
    { from: 10, to: 30, presence: 'all' },
    { from: 30, to: 40, presence: 'part' },
    { from: 40, to: 60, presence: 'none' },
    { from: 60, to: 90, presence: 'all' },
  ]);
  // 20 + 4 + 0 + 30 of 80.
  expect(shareOf(points)).toBeCloseTo(67.5, 5);
  expect(shareOf([[0, null]])).toBeUndefined();
});

test('a value has no more digits than its range means', () => {
  expect(figure(41.234, { least: 40, largest: 43 })).toBe('41.2');
  expect(figure(0.01234, { least: 0, largest: 0.1 })).toBe('0.01');
  expect(figure(1234.5, { least: 0, largest: 2000 })).toBe('1235');
  expect(figure(3, { least: 0, largest: 3 })).toBe('3');
});
