import { expect, test } from 'vitest';
import { binLengthFor, binsOf } from '../../src/detections/time-bins.js';

/** Minutes by which UTC is ahead of the clock of a place, as `getTimezoneOffset` has them. */
function offsetAt(timeZone: string) {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  return (at: number) => {
    const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours, minutes] = /GMT([+-])(\d+):(\d+)/.exec(name) ?? [];
    const ahead = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
    return sign === '-' ? ahead : -ahead;
  };
}

const utc = () => 0;
const berlin = offsetAt('Europe/Berlin');
const at = (text: string) => Date.parse(text);
const shown = (times: readonly string[], length: 'minute' | 'hour' | 'day', offset: (at: number) => number) =>
  binsOf(times.map(at), length, offset).map(({ from, count }) => [new Date(from).toISOString(), count]);

test('hours without a detection are empty bins', () => {
  expect(
    shown(['2026-03-01T10:59:59Z', '2026-03-01T13:00:00Z', '2026-03-01T13:30:00Z'], 'hour', utc),
  ).toEqual([
    ['2026-03-01T10:00:00.000Z', 1],
    ['2026-03-01T11:00:00.000Z', 0],
    ['2026-03-01T12:00:00.000Z', 0],
    ['2026-03-01T13:00:00.000Z', 2],
  ]);
});

test('a short time has minutes', () => {
  expect(shown(['2026-03-01T10:00:59Z', '2026-03-01T10:01:00Z'], 'minute', berlin)).toEqual([
    ['2026-03-01T10:00:00.000Z', 1],
    ['2026-03-01T10:01:00.000Z', 1],
  ]);
});

test('hours are those of the local clock, also where it is ahead by half an hour', () => {
  expect(shown(['2026-03-01T10:10:00Z'], 'hour', offsetAt('Asia/Kolkata'))).toEqual([
    ['2026-03-01T09:30:00.000Z', 1],
  ]);
});

test('the hour that comes twice, when summer time ends, has two bins', () => {
  // In Berlin, 2026-10-25 has 02:00 to 03:00 at 00:00 UTC, and again at 01:00 UTC.
  expect(
    shown(['2026-10-24T23:30:00Z', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'], 'hour', berlin),
  ).toEqual([
    ['2026-10-24T23:00:00.000Z', 1],
    ['2026-10-25T00:00:00.000Z', 1],
    ['2026-10-25T01:00:00.000Z', 1],
  ]);
});

test('days of 23 and of 25 hours are one bin each', () => {
  expect(shown(['2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z'], 'day', berlin)).toEqual([
    ['2026-03-27T23:00:00.000Z', 1],
    ['2026-03-28T23:00:00.000Z', 0],
    ['2026-03-29T22:00:00.000Z', 1],
  ]);
  expect(shown(['2026-10-25T22:30:00Z', '2026-10-26T12:00:00Z'], 'day', berlin)).toEqual([
    ['2026-10-24T22:00:00.000Z', 1],
    ['2026-10-25T23:00:00.000Z', 1],
  ]);
});

test('a long time has days, and not more bins than can be seen', () => {
  expect(binLengthFor(0, 3 * 86_400_000)).toBe('day');
  expect(binLengthFor(0, 86_400_000)).toBe('hour');
  expect(binLengthFor(0, 600_000)).toBe('minute');
  const bins = binsOf([0, at('2026-03-01T00:00:00Z')], 'day', utc);
  expect(bins.length).toBeLessThanOrEqual(62);
  expect(bins.at(-1)?.count).toBe(1);
});

test('nothing has no bins, and a time that no calendar has none either', () => {
  expect(binsOf([], 'hour', utc)).toEqual([]);
});
