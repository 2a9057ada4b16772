import { dataReduction, regionOfInterest } from '@azimuth/model';
import { expect, test } from 'vitest';
import { boundsWith, keptOutlines, type Regions, whyNothing } from '../../src/data-output/regions.js';

const rectangle = { ...regionOfInterest.members.LFPcubicareafilter.type.initial, bEnable: true };
const distance = { ...regionOfInterest.members.LFPradialDistanceRangeFilter.type.initial, bEnable: true };
const angle = { ...dataReduction.members.LFPangleRangeFilter.type.initial, bEnable: true };
const none: Regions = { rectangle: undefined, distance: undefined, angle: undefined };

/** The least and the greatest coordinates of outlines, rounded to 10 mm. */
function extent(regions: Regions): readonly number[] {
  const points = keptOutlines(regions).flat();
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  return [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)].map(
    (value) => Math.round(value / 10) * 10 + 0,
  );
}

test('a rectangle around the scanner is kept as it is', () => {
  expect(
    extent({ ...none, rectangle: { ...rectangle, lXMin: -1000, lXMax: 3000, lYMin: -2000, lYMax: 1500 } }),
  ).toEqual([-1000, 3000, -2000, 1500]);
});

test('a rectangle beside the scanner has the outline of its own corners', () => {
  const outlines = keptOutlines({
    ...none,
    rectangle: { ...rectangle, lXMin: 2000, lXMax: 3000, lYMin: 1000, lYMax: 1500 },
  });
  expect(outlines).toHaveLength(1);
  expect(
    extent({ ...none, rectangle: { ...rectangle, lXMin: 2000, lXMax: 3000, lYMin: 1000, lYMax: 1500 } }),
  ).toEqual([2000, 3000, 1000, 1500]);
});

test('what is kept is in all regions at the same time', () => {
  const regions = {
    rectangle: { ...rectangle, lXMin: 0, lXMax: 2000, lYMin: -5000, lYMax: 5000 },
    distance: { ...distance, ulDistMin: 500, ulDistMax: 1000 },
    angle: { ...angle, fThetaStart: 0, fThetaStop: 900_000 },
  };
  expect(extent(regions)).toEqual([0, 1000, 0, 1000]);
  expect(whyNothing(regions)).toBeUndefined();
});

test('a rectangle across the blind side behind the scanner is two regions', () => {
  const behind = { ...rectangle, lXMin: -3000, lXMax: -1000, lYMin: -3000, lYMax: 3000 };
  expect(keptOutlines({ ...none, rectangle: behind })).toHaveLength(2);
});

test.each([
  [
    'the distance range',
    { ...none, distance: { ...distance, ulDistMin: 3000, ulDistMax: 2000 } },
    'The distance range ends',
  ],
  ['the rectangle in x', { ...none, rectangle: { ...rectangle, lXMin: 6000 } }, 'ends before it begins in x'],
  ['the rectangle in y', { ...none, rectangle: { ...rectangle, lYMin: 6000 } }, 'ends before it begins in y'],
  ['the angle range', { ...none, angle: { ...angle, fThetaStart: 950_000 } }, 'The angle range ends'],
  [
    'the place in common, of a near ring and a far rectangle',
    { ...none, rectangle: { ...rectangle, lXMin: 3000 }, distance: { ...distance, ulDistMax: 2000 } },
    'no place in common',
  ],
  [
    'the place in common, of the left side and a rectangle at the right',
    {
      ...none,
      rectangle: { ...rectangle, lXMin: 1000, lYMin: -3000, lYMax: -1000 },
      angle: { ...angle, fThetaStart: 0 },
    },
    'no place in common',
  ],
  [
    'the place in common, of a rectangle in the blind side',
    { ...none, rectangle: { ...rectangle, lXMin: -3000, lXMax: -2000, lYMin: -100, lYMax: 100 } },
    'no place in common',
  ],
])('nothing is left without %s', (_, regions, reason) => {
  expect(whyNothing(regions)).toContain(reason);
  expect(keptOutlines(regions)).toEqual([]);
});

test('a line is kept, too: both of its sides belong to it', () => {
  expect(
    whyNothing({ ...none, distance: { ...distance, ulDistMin: 2000, ulDistMax: 2000 } }),
  ).toBeUndefined();
});

test('limits far away are not brought into sight', () => {
  expect(boundsWith([[{ x: 200_000, y: -1000 }]], { minX: 0, maxX: 2, minY: 0, maxY: 3 })).toEqual({
    minX: 0,
    maxX: 12,
    minY: -1.24,
    maxY: 3.24,
  });
  expect(boundsWith([], undefined)).toBeUndefined();
});
