import { isInside, type Point } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { beamParts } from '../../src/contours/crossed-beams.js';

const alongX = { x: 1, y: 0 };

function contour(...points: readonly (readonly [number, number])[]): readonly Point[] {
  return points.map(([x, y]) => ({ x, y }));
}

const box = contour([10, -5], [30, -5], [30, 5], [10, 5]);
/** Two towers on a base that the beam along x does not meet. */
const towers = contour([10, -9], [60, -9], [60, 5], [50, 5], [50, -5], [20, -5], [20, 5], [10, 5]);

describe('a beam along x', () => {
  test.each<[string, readonly Point[], readonly (readonly [number, number])[]]>([
    ['enters and leaves a box', box, [[10, 30]]],
    ['from inside', contour([-10, -5], [30, -5], [30, 5], [-10, 5]), [[0, 30]]],
    ['from its edge', contour([0, -5], [30, -5], [30, 5], [0, 5]), [[0, 30]]],
    ['misses what is behind', contour([-10, -5], [-30, -5], [-30, 5], [-10, 5]), []],
    ['misses what is beside', contour([10, 1], [30, 1], [30, 5], [10, 5]), []],
    [
      'crosses both towers',
      towers,
      [
        [10, 20],
        [50, 60],
      ],
    ],
    ['along an edge, the area to its left', contour([10, 0], [30, 0], [30, 5], [10, 5]), [[10, 30]]],
    ['along an edge, the area to its right', contour([10, 0], [30, 0], [30, -5], [10, -5]), [[10, 30]]],
    ['touches a corner from one side', contour([10, 5], [20, 0], [30, 5]), [[20, 20]]],
    ['touches a corner from the other side', contour([10, -5], [20, 0], [30, -5]), [[20, 20]]],
    ['through two corners', contour([10, 0], [20, -5], [30, 0], [20, 5]), [[10, 30]]],
    ['through a corner, on along an edge', contour([10, -5], [20, 0], [30, 0], [40, 5], [10, 5]), [[10, 30]]],
    ['a notch that ends on it', contour([10, -5], [30, -5], [30, 5], [20, 0], [10, 5]), [[10, 30]]],
  ])('%s', (_, points, parts) => {
    const close = parts.map(([enter, leave]) => [expect.closeTo(enter, 9), expect.closeTo(leave, 9)]);
    expect(beamParts(points, alongX)).toEqual(close);
    expect(beamParts([...points].reverse(), alongX)).toEqual(close);
  });
});

test('a beam at an angle of which sine and cosine are not exact', () => {
  const along = { x: Math.cos(Math.PI / 2), y: Math.sin(Math.PI / 2) };
  expect(beamParts(contour([0, 5], [100, 5], [100, 35], [0, 35]), along)).toEqual([
    [expect.closeTo(5, 6), expect.closeTo(35, 6)],
  ]);
});

test('what is inside by parts is inside by points, for stars of all shapes', () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  let inside = 0;
  const differing: string[] = [];
  for (let round = 0; round < 40; round++) {
    const corners = 3 + Math.floor(random() * 12);
    const star = Array.from({ length: corners }, (_, index) => {
      const angle = (2 * Math.PI * index) / corners;
      const reach = 20 + random() * 80;
      return { x: 60 + reach * Math.cos(angle), y: 20 + reach * Math.sin(angle) };
    });
    for (let degree = 0; degree < 360; degree += 9) {
      const along = { x: Math.cos((degree * Math.PI) / 180), y: Math.sin((degree * Math.PI) / 180) };
      const parts = beamParts(star, along);
      for (let at = 0.37; at < 200; at += 7.31) {
        const byParts = parts.some(([enter, leave]) => enter <= at && at <= leave);
        if (byParts !== isInside(star, { x: along.x * at, y: along.y * at })) {
          differing.push(`${round}: ${degree}°, ${at}`);
        }
        if (byParts) inside += 1;
      }
    }
  }
  expect(differing).toEqual([]);
  expect(inside).toBeGreaterThan(1000);
});
