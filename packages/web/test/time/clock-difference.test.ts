import { expect, test } from 'vitest';
import { aheadBy, clockText, differenceText, localTime } from '../../src/time/clock-difference.js';

const now = new Date(Date.UTC(2027, 0, 31, 11, 0, 0));
const noon = { uiYear: 2027, usiMonth: 1, usiDay: 31, usiHour: 12, usiMinute: 0, usiSec: 5, udiUSec: 0 };

test('a clock in a known zone is compared with the time there', () => {
  expect(aheadBy(noon, now, 'Europe/Berlin')).toBe(5000);
  expect(aheadBy(noon, now, 'Etc/UTC')).toBe(3_605_000);
});

test('the time of this computer is not ahead of itself', () => {
  expect(aheadBy(localTime(now), now)).toBe(0);
});

test('differences and times are told in words', () => {
  expect(differenceText(-1500)).toBe('agrees within 2 s');
  expect(differenceText(65_000)).toBe('65 s ahead');
  expect(differenceText(-3 * 3_600_000)).toBe('3.0 h behind');
  expect(clockText(noon)).toBe('2027-01-31 12:00:05');
});
