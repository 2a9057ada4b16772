import { TimedCache } from '@azimuth/http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { jsonInTurns, mapInTurns, sortedInTurns, turnsOf } from '../../src/port/in-turns.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('what takes time to make is made once for all who ask within a second', async () => {
  let made = 0;
  const fresh = new TimedCache(async () => ++made);
  expect(await Promise.all([fresh.get(), fresh.get()])).toEqual([1, 1]);
  vi.advanceTimersByTime(999);
  expect(await fresh.get()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await fresh.get()).toBe(2);
  fresh.forget();
  expect(await fresh.get()).toBe(3);
});

test('what could not be made is made anew for the next one', async () => {
  let tries = 0;
  const fresh = new TimedCache(async () => {
    if (++tries === 1) throw new Error('not now');
    return tries;
  });
  await expect(fresh.get()).rejects.toThrow('not now');
  expect(await fresh.get()).toBe(2);
});

test('long lists are handled a few hundred at a time, and nothing of them is lost', async () => {
  const all = Array.from({ length: 600 }, (_, number) => ({ number }));
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  expect(await mapInTurns(all, ({ number }) => number)).toEqual(all.map(({ number }) => number));
  expect(turns).toBeGreaterThanOrEqual(2);
  isOver = true;
  const parts: number[] = [];
  for await (const part of turnsOf(all)) parts.push(part.length);
  expect(parts).toEqual([250, 250, 100]);
  expect(JSON.parse(String(await jsonInTurns(all)))).toEqual(all);
  expect(String(await jsonInTurns([]))).toBe('[]\n');
});

test('long lists are sorted in turns, and equal ones keep their order', async () => {
  // Mixed, but the same at each run.
  const mixed = Array.from({ length: 3001 }, (_, number) => ({ number, rank: (number * 7919) % 13 }));
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const byRank = (one: { readonly rank: number }, other: { readonly rank: number }) => one.rank - other.rank;
  expect(await sortedInTurns(mixed, byRank)).toEqual(mixed.toSorted(byRank));
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(13);
  expect(await sortedInTurns([], byRank)).toEqual([]);
});
