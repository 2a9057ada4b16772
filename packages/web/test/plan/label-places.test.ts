import { expect, test } from 'vitest';
import { labelHeight, labelTops } from '../../src/plan/labels.js';

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
