import { expect, test } from 'vitest';
import { DrawingTimes } from '../../src/live/drawing-times.js';

test('a drawing that shows the newest of several scans has skipped the others', () => {
  const times = new DrawingTimes();
  times.add(1, 1, 0);
  times.add(2, 4, 3);
  times.add(9, 2, 1);
  expect(times).toMatchObject({ drawn: 3, skipped: 4, mostBehind: 3, median: 2 });
  expect(times.keptUp).toBeCloseTo(2 / 3);
});

test('how far it was behind counts for the last drawings only, so that a slow start is forgotten', () => {
  const times = new DrawingTimes();
  times.add(1, 9, 8);
  for (let drawing = 0; drawing < 511; drawing++) times.add(1, 1, 0);
  expect(times.mostBehind).toBe(8);
  times.add(1, 1, 0);
  expect(times).toMatchObject({ mostBehind: 0, keptUp: 1, skipped: 8 });
});

test('nothing was drawn yet', () => {
  expect(new DrawingTimes()).toMatchObject({ drawn: 0, skipped: 0, mostBehind: 0, keptUp: 1, median: 0 });
});
