import { expect, test } from 'vitest';
import { gridLabel, gridSteps, roundAtLeast } from '../../src/plan/grid-layer.js';

test.each([1, 3, 7.5, 14, 20, 50, 99, 400, 2000])(
  'the lines of a grid are legible at %d pixels a metre',
  (scale) => {
    const { fine, strong } = gridSteps(scale);
    expect(fine * scale).toBeGreaterThanOrEqual(14 - 1e-9);
    expect(fine * scale).toBeLessThanOrEqual(2.5 * 14 + 1e-9);
    expect(strong * scale).toBeGreaterThan(50);
    const each = strong / fine;
    expect(Math.abs(each - Math.round(each))).toBeLessThan(1e-9);
  },
);

test('labels have as many digits as their step needs', () => {
  expect(gridLabel(5, 5)).toBe('5');
  expect(gridLabel(0.30000000000000004, 0.1)).toBe('0.3');
  expect(gridLabel(-0.05, 0.05)).toBe('−0.05');
  expect(gridLabel(-1e-17, 0.5)).toBe('0');
});

test('a bar that tells the scale has a round length', () => {
  expect(
    [0.06, 0.1, 0.3, 0.7, 1, 2.1, 60].map(roundAtLeast).map((metres) => Number(metres.toFixed(3))),
  ).toEqual([0.1, 0.1, 0.5, 1, 1, 5, 100]);
});
