import { expect, test } from 'vitest';
import { dateIn, lastNight, nextNight } from '../../src/archive/nightly.js';

const berlin = { hour: 2, minute: 30, zone: 'Europe/Berlin' } as const;
const at = (text: string) => Date.parse(text);
const iso = (time: number) => new Date(time).toISOString();
const hour = 3_600_000;

test.each([
  ['2026-01-10T12:00:00Z', '2026-01-10T01:30:00.000Z', '2026-01-11T01:30:00.000Z'],
  ['2026-07-10T00:29:59Z', '2026-07-09T00:30:00.000Z', '2026-07-10T00:30:00.000Z'],
  ['2026-07-10T00:30:00Z', '2026-07-10T00:30:00.000Z', '2026-07-11T00:30:00.000Z'],
  // 02:30 does not exist on 29 March, and is there twice on 25 October.
  ['2026-03-29T00:00:00Z', '2026-03-28T01:30:00.000Z', '2026-03-29T01:30:00.000Z'],
  ['2026-10-25T12:00:00Z', '2026-10-25T01:30:00.000Z', '2026-10-26T01:30:00.000Z'],
])('the nights around %s are at the time of the site', (now, last, next) => {
  expect([iso(lastNight(at(now), berlin, 0)), iso(nextNight(at(now), berlin, 0))]).toEqual([last, next]);
});

test('there is one night on each day of a year, also with a delay into the next day', () => {
  const late = { hour: 23, minute: 50, zone: 'America/New_York' };
  let night = lastNight(at('2026-01-01T12:00:00Z'), late, hour);
  const dates: string[] = [];
  for (let count = 0; count < 366; count++) {
    night = nextNight(night, late, hour);
    expect(lastNight(night, late, hour)).toBe(night);
    expect(lastNight(night - 1, late, hour)).toBeLessThan(night);
    dates.push(dateIn(late.zone, night - hour));
  }
  expect(new Set(dates).size).toBe(366);
});
