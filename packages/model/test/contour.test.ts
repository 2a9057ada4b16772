import { describe, expect, test } from 'vitest';
import { contourProblem, isInside, meetingEdges } from '../src/contour.js';

function contour(...points: readonly (readonly [number, number])[]) {
  return points.map(([x, y]) => ({ x, y }));
}

describe('sound are', () => {
  test.each([
    ['a triangle', contour([0, 0], [10, 0], [0, 10])],
    ['a square the other way round', contour([0, 0], [0, 10], [10, 10], [10, 0])],
    ['a point in the middle of a straight line', contour([0, 0], [5, 0], [10, 0], [0, 10])],
    ['a first point in the middle of a straight line', contour([5, 0], [10, 0], [0, 10], [0, 0])],
    ['a concave contour, a U', contour([0, 0], [9, 0], [9, 9], [6, 9], [6, 3], [3, 3], [3, 9], [0, 9])],
    ['the largest there is', contour([-120_000, -120_000], [120_000, -120_000], [0, 120_000])],
  ])('%s', (_, points) => {
    expect(contourProblem(points)).toBeUndefined();
  });

  test('one of 100 points', () => {
    const saw = (teeth: number) => [
      ...Array.from({ length: teeth }, (_, index) => ({ x: index * 10, y: (index % 2) * 5 })),
      { x: teeth * 10, y: 100 },
      { x: -10, y: 100 },
    ];
    expect(contourProblem(saw(98))).toBeUndefined();
  });
});

describe('not sound are', () => {
  test('a corner that is too far away, in any direction', () => {
    for (const far of [
      [120_001, 0],
      [-120_001, 0],
      [0, 120_001],
      [0, -120_001],
    ] as const) {
      expect(contourProblem(contour([0, 0], far, [9, 9]))).toBe(
        'a contour is within -120000..120000, points [1] is not',
      );
    }
  });

  test.each([
    ['no points', contour()],
    ['one point', contour([0, 0])],
    ['two points', contour([0, 0], [10, 0])],
  ])('%s', (_, points) => {
    expect(contourProblem(points)).toBe(`expected at least 3 points, got ${points.length}`);
  });

  test.each([
    ['three points of one line', contour([0, 0], [10, 10], [5, 5])],
    ['one point three times', contour([7, 7], [7, 7], [7, 7])],
    ['two points in turn', contour([0, 0], [10, 0], [0, 0], [10, 0])],
  ])('%s: no area', (_, points) => {
    expect(contourProblem(points)).toContain('encloses no area');
  });

  test.each([
    ['a point given twice in a row', contour([0, 0], [10, 0], [10, 0], [0, 10]), 'points [1] and [2]'],
    ['the first point at the end', contour([0, 0], [10, 0], [0, 10], [0, 0]), 'points [3] and [0]'],
  ])('%s', (_, points, which) => {
    expect(contourProblem(points)).toBe(`${which} are the same`);
  });

  test.each([
    ['a bow tie', contour([0, 0], [10, 10], [10, 0], [0, 10]), [0, 2]],
    ['a corner on another side', contour([0, 0], [10, 0], [10, 10], [5, 0], [0, 10]), [0, 2]],
    ['a corner on another corner', contour([0, 0], [10, 0], [5, 5], [10, 10], [0, 10], [5, 5]), [1, 4]],
    ['a spike out of a side', contour([0, 0], [10, 0], [10, 10], [20, 10], [10, 10], [0, 10]), [1, 3]],
    ['a last side that turns back along the first', contour([0, 0], [10, 0], [10, 10], [20, 0]), [1, 3]],
    ['a side that goes back', contour([0, 0], [10, 0], [0, 0], [0, 10]), [0, 2]],
    ['a side that goes back a part of the way', contour([0, 0], [10, 0], [4, 0], [0, 10]), [0, 2]],
    ['a side that goes back and beyond', contour([0, 0], [10, 0], [-5, 0], [0, 10]), [1, 3]],
    ['sides that lie upon each other', contour([0, 0], [10, 0], [10, 10], [8, 0], [2, 0], [0, 10]), [0, 2]],
  ] as const)('%s', (_, points, [first, second]) => {
    expect(meetingEdges(points)).toEqual({ first, second });
    expect(contourProblem(points)).toContain(`the sides from [${first}] and [${second}] touch or cross`);
  });
});

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
