import { describe, expect, test } from 'vitest';
import {
  areaOf,
  middleOfSide,
  movedBy,
  nearestWithin,
  withCornerAfter,
  withCornerAt,
  withoutCorner,
} from '../../src/fields/contour.js';

const square = [
  { x: 0, y: 0 },
  { x: 1000, y: 0 },
  { x: 1000, y: 1000 },
  { x: 0, y: 1000 },
];

describe('a corner', () => {
  test('moves to whole mm, and leaves the others alone', () => {
    expect(withCornerAt(square, 1, { x: 1200.4, y: -0.2 })).toEqual([
      square[0],
      { x: 1200, y: 0 },
      square[2],
      square[3],
    ]);
  });

  test('goes no further than corners may be', () => {
    expect(withCornerAt(square, 0, { x: -1e9, y: 1e9 })[0]).toEqual({ x: -120_000, y: 120_000 });
  });

  test('is inserted into the side that begins at another, the last side too', () => {
    expect(withCornerAfter(square, 0, { x: 500, y: -100 })[1]).toEqual({ x: 500, y: -100 });
    expect(withCornerAfter(square, 3, { x: 7, y: 8 })).toEqual([...square, { x: 7, y: 8 }]);
  });

  test('is taken out', () => {
    expect(withoutCorner(square, 3)).toEqual(square.slice(0, 3));
  });
});

test('an area moves as a whole', () => {
  expect(movedBy(square, { x: 10.4, y: -20 })[2]).toEqual({ x: 1010, y: 980 });
});

test('an area keeps its form at the end of what is allowed', () => {
  const moved = movedBy(square, { x: 1e6, y: -1e6 });
  expect(moved).toEqual([
    { x: 119_000, y: -120_000 },
    { x: 120_000, y: -120_000 },
    { x: 120_000, y: -119_000 },
    { x: 119_000, y: -119_000 },
  ]);
});

test('the middle of the last side is between the last corner and the first', () => {
  expect(middleOfSide(square, 3)).toEqual({ x: 0, y: 500 });
});

test('the size of an area does not depend on the order of its corners', () => {
  expect(areaOf(square)).toBe(1_000_000);
  expect(areaOf(square.toReversed())).toBe(1_000_000);
});

describe('what a pointer meets', () => {
  test('is the nearest point within reach, and of equally near ones the last: it lies on top', () => {
    expect(nearestWithin(square, { x: 990, y: 5 }, 20)).toBe(1);
    expect(nearestWithin([...square, { x: 1000, y: 0 }], { x: 990, y: 5 }, 20)).toBe(4);
  });

  test('is nothing beyond its reach', () => {
    expect(nearestWithin(square, { x: 500, y: 500 }, 20)).toBeUndefined();
  });
});
