import { describe, expect, test } from 'vitest';
import {
  areaOf,
  middleOfSide,
  movedBy,
  nearestPoint,
  snapped,
  snappedMove,
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
    expect(nearestPoint(square, { x: 990, y: 5 }, 20)).toBe(1);
    expect(nearestPoint([...square, { x: 1000, y: 0 }], { x: 990, y: 5 }, 20)).toBe(4);
  });

  test('is nothing beyond its reach', () => {
    expect(nearestPoint(square, { x: 500, y: 500 }, 20)).toBeUndefined();
  });
});

const corners = [{ x: 1234, y: 567 }];

test('a point snaps to the grid', () => {
  expect(snapped({ x: 1026, y: -74 }, { step: 50, corners, reach: 30 })).toEqual({ x: 1050, y: -50 });
  expect(snapped({ x: 1026.4, y: -74 }, { step: 1, corners, reach: 30 })).toEqual({ x: 1026, y: -74 });
});

test('a corner in reach goes before the grid', () => {
  expect(snapped({ x: 1240, y: 560 }, { step: 100, corners, reach: 30 })).toEqual(corners[0]);
});

const triangle = [
  { x: 3, y: 0 },
  { x: 1000, y: 0 },
  { x: 0, y: 500 },
];

test('an area that moves puts its first corner on the grid', () => {
  expect(snappedMove(triangle, { x: 104, y: 60 }, { step: 100, corners: [], reach: 30 })).toEqual({
    x: 97,
    y: 100,
  });
});

test('an area that moves puts any of its corners on a corner in reach, the nearest one', () => {
  const others = [
    { x: 1250, y: 12 },
    { x: 210, y: 505 },
  ];
  expect(snappedMove(triangle, { x: 205, y: 0 }, { step: 100, corners: others, reach: 60 })).toEqual({
    x: 210,
    y: 5,
  });
});

/** Corners of other areas near the place to which the second corner of the triangle is moved, the nearest one first. */
const near = [
  { x: 1210, y: 3 },
  { x: 1220, y: -30 },
  { x: 1190, y: 40 },
];

test.each([
  ['in front', near],
  ['behind', near.toReversed()],
])('the nearest corner attracts, with the others %s or not', (_, others) => {
  const snap = { step: 100, corners: others, reach: 60 } as const;
  expect(snappedMove(triangle, { x: 205, y: 0 }, snap)).toEqual({ x: 210, y: 3 });
  expect(snapped({ x: 1205, y: 0 }, snap)).toEqual(near[0]);
});

test('of all corners of an area, the one that is nearest to another corner is put there, whichever it is', () => {
  const [first, second] = [
    { x: 215, y: 10 },
    { x: 1230, y: 30 },
  ];
  for (const corners of [
    [first, second],
    [second, first],
  ])
    expect(snappedMove(triangle, { x: 205, y: 0 }, { step: 100, corners, reach: 60 })).toEqual({
      x: 212,
      y: 10,
    });
});

test('a corner beyond its reach attracts nothing', () => {
  const snap = { step: 100, corners: [{ x: 1240, y: 0 }], reach: 30 } as const;
  expect(snapped({ x: 1205, y: 0 }, snap)).toEqual({ x: 1200, y: 0 });
  expect(snappedMove(triangle, { x: 205, y: 60 }, snap)).toEqual({ x: 197, y: 100 });
  expect(snapped({ x: 1211, y: 0 }, snap)).toEqual({ x: 1240, y: 0 });
});

test('what is measured goes behind the corners and before the grid, in whole mm', () => {
  const snap = { step: 100, corners, reach: 30, measuredNear: () => ({ x: 1229.4, y: 561.6 }) } as const;
  expect(snapped({ x: 1240, y: 560 }, snap)).toEqual(corners[0]);
  expect(snapped({ x: 2000, y: 560 }, snap)).toEqual({ x: 1229, y: 562 });
  expect(snapped({ x: 2010, y: 560 }, { ...snap, measuredNear: () => undefined })).toEqual({
    x: 2000,
    y: 600,
  });
});

test('an area without corners moves as it is told to', () => {
  expect(snappedMove([], { x: 7, y: 8 }, { step: 100, corners, reach: 30 })).toEqual({ x: 7, y: 8 });
});
