import { expect, test } from 'vitest';
import { snapped, snappedMove } from '../../src/fields/snapping.js';

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
