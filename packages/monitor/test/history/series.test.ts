import { describe, expect, test } from 'vitest';
import { Buckets, chunkLength } from '../../src/history/buckets.js';
import { mostPoints, Series } from '../../src/history/series.js';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const noon = Date.UTC(2026, 0, 15, 12);

describe('a curve', () => {
  test('has the mean of each minute, from the first known one on, with gaps as null', () => {
    const series = new Series('mean');
    for (const [seconds, value] of [
      [0, 40],
      [10, 42],
      [70, 43],
      [250, 44],
    ] as const)
      series.add(noon + seconds * 1000, value);
    expect(series.points(noon + 300_000)).toEqual([
      [noon, 41],
      [noon + minute, 43],
      [noon + 2 * minute, null],
      [noon + 3 * minute, null],
      [noon + 4 * minute, 44],
    ]);
  });

  test('has a gap until now if the value is not known any more', () => {
    const series = new Series('mean');
    series.add(noon, 40);
    expect(series.points(noon + 3 * minute)).toEqual([
      [noon, 40],
      [noon + minute, null],
      [noon + 2 * minute, null],
    ]);
  });

  test('begins with what is known after the wanted time', () => {
    const series = new Series('mean');
    series.add(noon, 40);
    series.add(noon + 3 * minute, 41);
    expect(series.points(noon + 3 * minute, noon + minute)).toEqual([[noon + 3 * minute, 41]]);
    expect(series.points(noon + 3 * minute, noon + hour)).toEqual([]);
    expect(new Series('mean').points(noon)).toEqual([]);
  });

  test.each([
    ['mean', 2],
    ['most', 5],
    ['last', 1],
  ] as const)('joins values of one stretch: the %s', (join, expected) => {
    const series = new Series(join);
    for (const [second, value] of [0, 5, 1].entries()) series.add(noon + second * 1000, value);
    expect(series.points(noon)).toEqual([[noon, expected]]);
  });

  test('has minutes for a day, and quarters of an hour for 30 days, in at most 1000 points', () => {
    const series = new Series('mean');
    const from = noon - 40 * day;
    for (let at = from; at <= noon; at += 5 * minute) series.add(at, 40);
    const ofDay = series.points(noon, noon - day + minute);
    const all = series.points(noon);
    expect([ofDay.length, all.length].every((length) => length > 300 && length <= mostPoints)).toBe(true);
    expect((ofDay[1]?.[0] ?? 0) - (ofDay[0]?.[0] ?? 0)).toBe(2 * minute);
    expect(noon - (all[0]?.[0] ?? 0)).toBeGreaterThan(30 * day - hour);
    expect(noon - (all[0]?.[0] ?? 0)).toBeLessThan(33 * day);
  });

  test('has no gaps between looks that come more rarely than minutes', () => {
    const series = new Series('mean');
    for (let at = noon; at <= noon + hour; at += 5 * minute) series.add(at, 40);
    const points = series.points(noon + hour, undefined, 5 * minute);
    expect(points.map(([, value]) => value)).toEqual(Array.from({ length: 13 }, () => 40));
  });

  test('goes on if somebody sets the clock back', () => {
    const series = new Series('mean');
    series.add(noon + hour, 40);
    series.add(noon, 41);
    series.add(noon + minute, 42);
    expect(series.points(noon + minute)).toEqual([
      [noon, 41],
      [noon + minute, 42],
    ]);
  });
});

test('a curve of a clock that has jumped ahead by years costs no more than any other', () => {
  const series = new Series('mean');
  series.add(5 * minute, 40);
  series.add(noon, 41);
  expect(series.points(noon).at(-1)).toEqual([noon, 41]);
  expect(series.points(noon).length).toBeLessThanOrEqual(mostPoints);
});

describe('buckets', () => {
  test('a value that does not change needs one number for each chunk', () => {
    const buckets = new Buckets(1440);
    for (let bucket = 0; bucket < 2000; bucket++) buckets.set(bucket, 3);
    expect([...buckets.chunks.values()].every((chunk) => !(chunk instanceof Float32Array))).toBe(true);
    expect(buckets.get(1999)).toBe(3);
  });

  test('forget what is older than they keep', () => {
    const buckets = new Buckets(1440);
    for (let bucket = 0; bucket < 10_000; bucket++) buckets.set(bucket, bucket);
    expect(buckets.chunks.size).toBeLessThanOrEqual(1440 / chunkLength + 1);
    expect(buckets.get(10_000 - 1440)).toBe(10_000 - 1440);
    expect(buckets.get(1)).toBeNaN();
    expect(buckets.first).toBeGreaterThan(8000);
  });

  test.each([1_000_000_000, -1_000_000_000])(
    'outlive a clock that is wrong by years for a while: %d',
    (wrong) => {
      const buckets = new Buckets(1440);
      for (let bucket = 0; bucket < 1440; bucket++) buckets.set(bucket, bucket);
      for (let bucket = wrong; bucket < wrong + 10; bucket++) buckets.set(bucket, 2);
      for (let bucket = 1440; bucket < 1500; bucket++) buckets.set(bucket, bucket);
      expect([buckets.get(100 + chunkLength), buckets.get(1499)]).toEqual([100 + chunkLength, 1499]);
      expect(buckets.chunks.size).toBeLessThanOrEqual(1440 / chunkLength + 1);
    },
  );
});
