import { expect, test } from 'vitest';
import { metres, pictureRange, ringDistances, roundRange } from '../../src/picture/echoes.js';
import { frameOfBeams } from './room-frame.js';

test('the range covers all echoes, rounded up, except a few outliers', () => {
  expect(pictureRange(frameOfBeams([0]))).toBe(10_000);
  expect(pictureRange(frameOfBeams([0, [100, 1]]))).toBe(1000);
  expect(pictureRange(frameOfBeams([0, [2500, 1], [7100, 1]], [1, [500, 1]]))).toBe(3000);
  const beams = Array.from({ length: 100 }, (_, i) => [i, [i === 50 ? 90_000 : 7000, 1]] as const);
  expect(pictureRange(frameOfBeams(...beams))).toBe(8000);
});

test('ranges are round, from 1 m to 1 km', () => {
  const rounded = [0, 1000, 1001, 2000, 9999, 10_001, 64_000, 900_001, 5e9].map(roundRange);
  expect(rounded).toEqual([1000, 1000, 1500, 2000, 10_000, 15_000, 80_000, 1_000_000, 1_000_000]);
});

test('there are four to nine rings at round distances', () => {
  expect(ringDistances(1000)).toEqual([200, 400, 600, 800, 1000]);
  expect(ringDistances(10_000)).toEqual([2000, 4000, 6000, 8000, 10_000]);
  expect(ringDistances(7500)).toEqual([1000, 2000, 3000, 4000, 5000, 6000, 7000]);
  expect(ringDistances(30_000)).toEqual([5000, 10_000, 15_000, 20_000, 25_000, 30_000]);
  expect(ringDistances(19_900)).toHaveLength(9);
  expect(ringDistances(40_000)).toEqual([10_000, 20_000, 30_000, 40_000]);
  expect([200, 1000, 2500, 50_000].map(metres)).toEqual(['0.2 m', '1 m', '2.5 m', '50 m']);
});
