import { describe, expect, test } from 'vitest';
import { isInside } from '../../src/sight/beam-parts.js';

const square = [
  { x: 0, y: 0 },
  { x: 10, y: 0 },
  { x: 10, y: 10 },
  { x: 0, y: 10 },
];
/** Open above: between x 3 and x 6, from y 3 up. */
const u = [
  { x: 0, y: 0 },
  { x: 9, y: 0 },
  { x: 9, y: 9 },
  { x: 6, y: 9 },
  { x: 6, y: 3 },
  { x: 3, y: 3 },
  { x: 3, y: 9 },
  { x: 0, y: 9 },
];

describe('a point of a square', () => {
  test.each([
    [5, 5, true],
    [0, 0, true],
    [10, 5, true],
    [5, 10, true],
    [-0.001, 5, false],
    [10.001, 5, false],
    [5, -0.001, false],
    // On the lines that sides would go on along, and beside corners.
    [15, 0, false],
    [15, 10, false],
    [-5, 10, false],
  ])('%d, %d: %s', (x, y, inside) => {
    expect(isInside(square, { x, y })).toBe(inside);
    expect(isInside([...square].reverse(), { x, y })).toBe(inside);
  });
});

describe('a point of a U', () => {
  test.each([
    [1, 8, true],
    [8, 8, true],
    [4.5, 1, true],
    [4.5, 3, true],
    [4.5, 3.001, false],
    [4.5, 9, false],
    [3, 6, true],
    [-1, 3, false],
  ])('%d, %d: %s', (x, y, inside) => {
    expect(isInside(u, { x, y })).toBe(inside);
  });
});

test('nothing is inside no contour', () => {
  expect(isInside([], { x: 0, y: 0 })).toBe(false);
});
