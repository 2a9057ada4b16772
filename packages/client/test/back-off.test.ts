import { expect, test } from 'vitest';
import { waitAfter } from '../src/back-off.js';

const now = Date.parse('2026-03-01T12:00:00Z');

test('Retry-After is honoured, in seconds and as a date', () => {
  expect(waitAfter(0, '3', now)).toBe(3000);
  expect(waitAfter(2, ' 0 ', now)).toBe(0);
  expect(waitAfter(0, 'Sun, 01 Mar 2026 12:00:07 GMT', now)).toBe(7000);
});

test('a date in the past means at once', () => {
  expect(waitAfter(0, 'Sun, 01 Mar 2026 11:59:00 GMT', now)).toBe(0);
});

test('without a usable one the wait doubles each time', () => {
  expect([0, 1, 2].map((attempt) => waitAfter(attempt, null, now))).toEqual([500, 1000, 2000]);
  expect(waitAfter(1, 'soon', now)).toBe(1000);
});
