import { expect, test } from 'vitest';
import { ComputerLateness } from '../../src/timing/lateness.js';

test('what is read while a program catches up belongs to the time in which it was late', () => {
  const lateness = new ComputerLateness();
  lateness.add(2000, 1000);
  // A tick that is hardly late follows at once.
  lateness.add(2050, 4);
  expect([990, 1000, 2000, 2060, 2100].map((time) => lateness.covers(time))).toEqual([
    false,
    true,
    true,
    true,
    true,
  ]);
  expect(lateness.covers(2101)).toBe(false);
  expect([lateness.longest, lateness.total]).toEqual([1000, 1004]);
});

test('a tick that is late as on every computer counts as no lateness', () => {
  const lateness = new ComputerLateness();
  lateness.add(2000, 2);
  expect([lateness.covers(1999), lateness.longest]).toEqual([false, 0]);
});
