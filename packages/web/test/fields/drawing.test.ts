import { contourProblem } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import {
  type Drawing,
  outlineOf,
  pressed,
  rectangle,
  sector,
  withoutLastPoint,
} from '../../src/fields/drawing.js';

const corners = [
  { x: 0, y: 0 },
  { x: 1000, y: 0 },
  { x: 1000, y: 1000 },
];
const polygon: Drawing = { tool: 'polygon', points: corners };

describe('a polygon', () => {
  test('gets a corner with each press', () => {
    const { drawing, isDone } = pressed(polygon, { x: 0, y: 900 }, false);
    expect(drawing.points).toHaveLength(4);
    expect(isDone).toBe(false);
  });

  test('is closed by a press on its first corner, once it has three', () => {
    expect(pressed(polygon, { x: 3, y: 3 }, true)).toEqual({ drawing: polygon, isDone: true });
    const line: Drawing = { tool: 'polygon', points: corners.slice(0, 2) };
    expect(pressed(line, { x: 3, y: 3 }, true).isDone).toBe(false);
  });

  test('does not get the same corner twice by a double click', () => {
    expect(pressed(polygon, { x: 1000, y: 1000 }, false).drawing).toBe(polygon);
  });

  test('gets no more corners than a contour may have', () => {
    const full: Drawing = {
      tool: 'polygon',
      points: Array.from({ length: 100 }, (_, x) => ({ x, y: x * x })),
    };
    expect(pressed(full, { x: -5, y: 0 }, false).drawing).toBe(full);
  });

  test('loses its last corner again', () => {
    expect(withoutLastPoint(polygon).points).toEqual(corners.slice(0, 2));
  });

  test('shows the side to the pointer', () => {
    expect(outlineOf(polygon, { x: 1, y: 2.4 })).toEqual([...corners, { x: 1, y: 2 }]);
  });
});

test('a rectangle is done with its second press, a sector with its third, a line with its second', () => {
  const presses = (tool: Drawing['tool'], count: number) =>
    pressed({ tool, points: corners.slice(0, count - 1) }, { x: 5, y: 5 }, false).isDone;
  expect([presses('rectangle', 1), presses('rectangle', 2)]).toEqual([false, true]);
  expect([presses('sector', 2), presses('sector', 3)]).toEqual([false, true]);
  expect([presses('line', 1), presses('line', 2)]).toEqual([false, true]);
});

test('a rectangle lies along the axes', () => {
  expect(rectangle({ x: 1, y: 2 }, { x: 5, y: 9 })).toEqual([
    { x: 1, y: 2 },
    { x: 5, y: 2 },
    { x: 5, y: 9 },
    { x: 1, y: 9 },
  ]);
});

describe('a sector', () => {
  const centre = { x: 100, y: 100 };

  test('goes counter-clockwise, with a corner every 10°, all of them on the arc', () => {
    const outline = sector(centre, { x: 2100, y: 100 }, { x: 100, y: 5000 });
    expect(outline).toHaveLength(1 + 10);
    expect(outline[0]).toEqual(centre);
    expect(outline.at(-1)).toEqual({ x: 100, y: 2100 });
    for (const { x, y } of outline.slice(1)) expect(Math.hypot(x - 100, y - 100)).toBeCloseTo(2000, -1);
    expect(contourProblem(outline)).toBeUndefined();
  });

  test('may span more than half a turn', () => {
    const outline = sector(centre, { x: 100, y: -1900 }, { x: -1900, y: 100 });
    expect(outline).toHaveLength(1 + 28);
    expect(contourProblem(outline)).toBeUndefined();
  });

  test('that is too small for its corners has no corner twice', () => {
    const outline = sector(centre, { x: 102, y: 100 }, { x: 100, y: 102 });
    for (const [index, point] of outline.entries()) {
      expect(outline[(index + 1) % outline.length]).not.toEqual(point);
    }
  });
});
