import { expect, test } from 'vitest';
import {
  bothBounds,
  fitted,
  initialViewport,
  panned,
  resized,
  scaleRange,
  toPlan,
  toScreen,
  type Viewport,
  visibleBounds,
  zoomed,
} from '../../src/plan/plan.js';

const viewport: Viewport = { x: 1, y: -2, scale: 50, width: 800, height: 600 };

test('ahead of the machine is up, and its left is left', () => {
  expect(toScreen(viewport, { x: 1, y: -2 })).toEqual({ left: 400, top: 300 });
  expect(toScreen(viewport, { x: 3, y: -2 })).toEqual({ left: 400, top: 200 });
  expect(toScreen(viewport, { x: 1, y: 0 })).toEqual({ left: 300, top: 300 });
});

test('a point of the screen is the point of the plan that is drawn there', () => {
  const point = { x: 4.25, y: -3.5 };
  const back = toPlan(viewport, toScreen(viewport, point));
  expect(back.x).toBeCloseTo(point.x, 9);
  expect(back.y).toBeCloseTo(point.y, 9);
});

test('what is under the pointer stays there when it zooms', () => {
  const pointer = { left: 120, top: 480 };
  const before = toPlan(viewport, pointer);
  const closer = zoomed(viewport, 3, pointer);
  expect(closer.scale).toBe(150);
  const after = toPlan(closer, pointer);
  expect(after.x).toBeCloseTo(before.x, 9);
  expect(after.y).toBeCloseTo(before.y, 9);
});

test('without a pointer the middle stays, and the scale has limits', () => {
  expect(zoomed(viewport, 2)).toEqual({ ...viewport, scale: 100 });
  expect(zoomed(viewport, 1e9).scale).toBe(scaleRange.largest);
  expect(zoomed(viewport, 1e-9).scale).toBe(scaleRange.least);
});

test('a drag moves the content with the pointer', () => {
  const grabbed = toPlan(viewport, { left: 100, top: 100 });
  const { left, top } = toScreen(panned(viewport, 30, -20), grabbed);
  expect(left).toBeCloseTo(130, 9);
  expect(top).toBeCloseTo(80, 9);
});

test('a rectangle is fitted with room around it, in views of any shape', () => {
  const bounds = { minX: -2, maxX: 10, minY: -4, maxY: 4 };
  for (const [width, height] of [
    [1200, 300],
    [300, 1200],
  ] as const) {
    const view = fitted({ ...viewport, width, height }, bounds);
    const seen = visibleBounds(view);
    expect(seen.minX).toBeLessThan(bounds.minX);
    expect(seen.maxX).toBeGreaterThan(bounds.maxX);
    expect(seen.minY).toBeLessThan(bounds.minY);
    expect(seen.maxY).toBeGreaterThan(bounds.maxY);
    expect([view.x, view.y]).toEqual([4, 0]);
  }
});

test('a rectangle without area and a view without size give a scale within the limits', () => {
  const view = fitted(initialViewport(0, 0), { minX: 3, maxX: 3, minY: 1, maxY: 1 });
  expect(view.scale).toBeGreaterThanOrEqual(scaleRange.least);
  expect(view.scale).toBeLessThanOrEqual(scaleRange.largest);
});

test('a view of another size keeps its middle and its scale', () => {
  expect(resized(viewport, 100, 50)).toEqual({ ...viewport, width: 100, height: 50 });
});

test('two rectangles are in the one around both', () => {
  const one = { minX: 0, maxX: 1, minY: 0, maxY: 1 };
  expect(bothBounds(undefined, one)).toEqual(one);
  expect(bothBounds(one, { minX: -3, maxX: 0, minY: 0.5, maxY: 4 })).toEqual({
    minX: -3,
    maxX: 1,
    minY: 0,
    maxY: 4,
  });
});
