import { expect, test } from 'vitest';
import { DrawingTimes, ScanDelay } from '../../src/live/drawing-times.js';

test('a drawing that shows the newest of several scans has skipped the others', () => {
  const times = new DrawingTimes();
  times.add(1, 1, 0);
  times.add(2, 4, 3);
  times.add(9, 2, 1);
  expect(times).toMatchObject({ drawings: 3, skipped: 4, mostBehind: 3, median: 2 });
  expect(times.shareInTime).toBeCloseTo(2 / 3);
});

test('how far it was behind counts for the last drawings only, so that a slow start is forgotten', () => {
  const times = new DrawingTimes();
  times.add(1, 9, 8);
  for (let drawing = 0; drawing < 511; drawing++) times.add(1, 1, 0);
  expect(times.mostBehind).toBe(8);
  times.add(1, 1, 0);
  expect(times).toMatchObject({ mostBehind: 0, shareInTime: 1, skipped: 8 });
});

test('nothing was drawn yet', () => {
  expect(new DrawingTimes()).toMatchObject({
    drawings: 0,
    skipped: 0,
    mostBehind: 0,
    shareInTime: 1,
    median: 0,
  });
});

/** 50 Hz. @param now ms when the scan of this number comes */
function arrived(delay: ScanDelay, number: number, now: number): void {
  delay.arrived(number, 7_000_000 + number * 20_000, now);
}

test('a scan that is drawn as soon as the quickest ones is not behind', () => {
  const delay = new ScanDelay();
  for (let number = 0; number < 10; number++) arrived(delay, number, 100 + number * 20);
  expect(delay.behind(100 + 9 * 20 + 19)).toBe(0);
});

test('a scan that waited somewhere is behind by the scans that were measured meanwhile', () => {
  const delay = new ScanDelay();
  for (let number = 0; number < 10; number++) arrived(delay, number, 100 + number * 20);
  arrived(delay, 10, 100 + 10 * 20 + 65);
  expect(delay.behind(100 + 10 * 20 + 66)).toBe(3);
});

test('scans that are missing do not change what a scan takes', () => {
  const delay = new ScanDelay();
  for (const number of [0, 1, 5]) arrived(delay, number, 100 + number * 20);
  expect(delay.behind(100 + 5 * 20 + 41)).toBe(2);
});

test('after the clock of the scanner was set, it is right again within ten seconds', () => {
  const delay = new ScanDelay();
  for (let number = 0; number < 10; number++) arrived(delay, number, 100 + number * 20);
  const setBack = 60_000;
  for (let number = 10; number < 600; number++) arrived(delay, number, setBack + number * 20);
  expect(delay.behind(setBack + 599 * 20)).toBe(0);
});

test('nothing is behind before two scans have come', () => {
  const delay = new ScanDelay();
  expect(delay.behind(5)).toBe(0);
  arrived(delay, 1, 100);
  expect(delay.behind(900)).toBe(0);
});
