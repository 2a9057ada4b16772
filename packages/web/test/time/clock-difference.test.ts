import { expect, test } from 'vitest';
import { clockText, differenceText } from '../../src/time/time.js';

const noon = { uiYear: 2027, usiMonth: 1, usiDay: 31, usiHour: 12, usiMinute: 0, usiSec: 5, udiUSec: 0 };

test('differences and times are told in words', () => {
  const text = (aheadMs: number, verdict: 'right' | 'other zone' | 'wrong') =>
    differenceText({ aheadMs, verdict, zone: undefined });
  expect(text(-1500, 'right')).toBe('right: it agrees within 5 s');
  expect(text(65_000, 'wrong')).toBe('65 s ahead');
  expect(text(-3 * 3_600_000, 'other zone')).toBe('3.0 h behind: probably another time zone');
  expect(clockText(noon)).toBe('2027-01-31 12:00:05');
});
