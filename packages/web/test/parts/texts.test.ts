import { expect, test } from 'vitest';
import {
  localDateTime,
  localDateTimeMs,
  localMillisecond,
  localMinute,
  localSecond,
  localTimeIn,
  sizeText,
  spokenByScanner,
} from '../../src/parts/texts.js';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [9999, '10.0 kB'],
  [10_000, '10 kB'],
  [999_999, '1000 kB'],
  [1_000_000, '1.0 MB'],
  [4_140_000, '4.1 MB'],
])('%d bytes are %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});

const afternoon = new Date(2026, 2, 1, 14, 3, 7, 120);

test('times are written from the year down to the second, with 24 hours, in the zone of this computer', () => {
  expect(localDateTime(afternoon)).toBe('2026-03-01 14:03:07');
  expect(localDateTimeMs(afternoon)).toBe('2026-03-01 14:03:07.120');
  expect(localMinute(afternoon)).toBe('14:03');
  expect(localSecond(afternoon)).toBe('14:03:07');
  expect(localMillisecond(afternoon)).toBe('14:03:07.120');
});

test('a date of the scanner gets the same order, and other text stays', () => {
  expect(spokenByScanner('24.11.2026', '04:22')).toBe('2026-11-24 04:22');
  expect(spokenByScanner('1.3.2026', '')).toBe('2026-03-01');
  expect(spokenByScanner('2026-11-24', '04:22')).toBe('2026-11-24 04:22');
  expect(spokenByScanner('never', '')).toBe('never');
});

test('a time of a scanner in ISO 8601 is written as all others, and another text as it came', () => {
  const at = '2026-11-24T04:22:10.000Z';
  expect(localTimeIn(at)).toBe(localDateTime(new Date(at)));
  expect(localTimeIn('tomorrow')).toBe('tomorrow');
});
