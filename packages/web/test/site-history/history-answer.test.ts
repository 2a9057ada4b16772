import { expect, test } from 'vitest';
import { SiteFault } from '../../src/site/site-answer.js';
import { curvesIn, pointsIn } from '../../src/site-history/history-answer.js';

test('the curves of a scanner are read, and each name once', () => {
  const temperature = { name: 'temperature', label: 'Temperature', unit: '°C' };
  expect(curvesIn({ values: [temperature, { name: 'unsaved' }, temperature] })).toEqual([
    temperature,
    { name: 'unsaved', label: 'unsaved', unit: '' },
  ]);
  expect(curvesIn({ values: [{ name: 'a', label: 'x'.repeat(500), unit: 7 }] })[0]?.label).toHaveLength(80);
  expect(
    curvesIn({ values: Array.from({ length: 99 }, (_, index) => ({ name: `v${index}` })) }),
  ).toHaveLength(40);
});

test.each([
  ['no list', {}, 'values: expected a list'],
  ['no object', null, 'values: expected a list'],
  ['a name that is none', { values: [{ name: '../x' }] }, 'values[0].name: expected'],
  ['no name', { values: [7] }, 'values[0].name: expected'],
])('of curves, %s is refused', (_, json, why) => {
  expect(() => curvesIn(json)).toThrow(SiteFault);
  expect(() => curvesIn(json)).toThrow(why);
});

test('points are read, and what is no number is not known', () => {
  const points = [[1000, 41.5], [2000, null], [2000, 'hot'], [3000, Number.POSITIVE_INFINITY], [4000]];
  expect(pointsIn({ points })).toEqual([
    [1000, 41.5],
    [2000, null],
    [2000, null],
    [3000, null],
    [4000, null],
  ]);
});

test.each([
  ['no list', {}, 'points: expected a list of at most 2000'],
  [
    'too many',
    { points: Array.from({ length: 2001 }, () => [1, 1]) },
    'points: expected a list of at most 2000',
  ],
  ['a point without a time', { points: [[1, 1], null] }, 'points[1]: expected a time'],
  ['a time that no clock has', { points: [[1e17, 1]] }, 'points[0]: expected a time'],
  [
    'a time before the one in front',
    {
      points: [
        [5, 1],
        [4, 1],
      ],
    },
    'none before the one in front of it',
  ],
])('of points, %s is refused', (_, json, why) => {
  expect(() => pointsIn(json)).toThrow(SiteFault);
  expect(() => pointsIn(json)).toThrow(why);
});
