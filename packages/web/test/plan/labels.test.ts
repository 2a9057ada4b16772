import { expect, test } from 'vitest';
import { fittingText, labelHeight, labelRoom, labelTops } from '../../src/plan/labels.js';
import { initialViewport } from '../../src/plan/plan.js';

test('labels at one place are a list, in their order', () => {
  const tops = labelTops([0, 1, 2, 3].map(() => ({ left: 100, top: 50, width: 60 })));
  expect(tops[0]).toBe(50);
  for (const [index, top] of tops.slice(1).entries()) {
    expect(top).toBeGreaterThanOrEqual((tops[index] ?? 0) + labelHeight);
  }
});

test('labels that do not meet stay where they are', () => {
  const apart = [
    { left: 100, top: 50, width: 60 },
    { left: 100, top: 90, width: 60 },
    { left: 200, top: 50, width: 60 },
  ];
  expect(labelTops(apart)).toEqual([50, 90, 50]);
});

test('a label that moves away from one does not cover the next', () => {
  const near = [
    { left: 100, top: 50, width: 60 },
    { left: 120, top: 72, width: 60 },
    { left: 110, top: 45, width: 60 },
  ];
  const boxes = labelTops(near).map((top, index) => ({ ...near[index], top }));
  for (const [index, { top }] of boxes.entries()) {
    for (const other of boxes.slice(index + 1)) {
      expect(Math.abs(other.top - top)).toBeGreaterThanOrEqual(labelHeight);
    }
  }
});

const view = initialViewport(400, 300);
const corners = (...places: readonly (readonly [number, number])[]) =>
  places.map(([left, top]) => ({ left, top }));

test('the label of a rectangle is in its middle', () => {
  const room = labelRoom(corners([100, 50], [200, 50], [200, 250], [100, 250]), view);
  expect(room).toEqual({ left: 150, top: 150, width: 100 });
});

test('the label of an area that is bent is inside of it', () => {
  // A U: its middle is outside.
  const room = labelRoom(
    corners([0, 0], [60, 0], [60, 200], [200, 200], [200, 0], [260, 0], [260, 250], [0, 250]),
    view,
  );
  expect(room?.top).toBeGreaterThan(200);
  expect(room?.width).toBe(260);
});

test('the label of an area that reaches out of the view is in the part in sight', () => {
  const room = labelRoom(corners([-1000, -1000], [100, -1000], [100, 200], [-1000, 200]), view);
  expect(room).toMatchObject({ left: 50, width: 100 });
  expect(room?.top).toBeGreaterThan(0);
  expect(labelRoom(corners([-90, 10], [-10, 10], [-10, 90]), view)).toBeUndefined();
});

test('a label has the longest text that fits', () => {
  const texts = ['1 gate – infringed', '1 gate', '1'];
  const textFor = (width: number) => fittingText(texts, { left: 0, top: 0, width });
  expect(textFor(200)).toBe('1 gate – infringed');
  expect(textFor(80)).toBe('1 gate');
  expect(textFor(20)).toBe('1');
  expect(textFor(2)).toBe('1');
});
