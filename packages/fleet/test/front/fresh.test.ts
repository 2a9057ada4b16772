import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Fresh } from '../../src/front/fresh.js';
import { jsonInTurns, mapInTurns, turnsOf } from '../../src/front/in-turns.js';
import { Wake } from '../../src/wake.js';
import { within } from '../../src/within.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('what takes time to make is made once for all who ask within a second', async () => {
  let made = 0;
  const fresh = new Fresh(async () => ++made);
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
  const fresh = new Fresh(async () => {
    if (++tries === 1) throw new Error('not now');
    return tries;
  });
  await expect(fresh.get()).rejects.toThrow('not now');
  expect(await fresh.get()).toBe(2);
});

test('a wait ends after its time, or when somebody wakes it, also before it has begun', async () => {
  const wake = new Wake();
  const ends: string[] = [];
  const waiting = async (name: string) => {
    await wake.after(1000);
    ends.push(name);
  };
  const first = waiting('time');
  await vi.advanceTimersByTimeAsync(999);
  expect(ends).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await first;
  const second = waiting('woken');
  wake.now();
  await second;
  wake.now();
  await waiting('before');
  expect([ends, vi.getTimerCount()]).toEqual([['time', 'woken', 'before'], 0]);
  // A wake is used up.
  const last = waiting('last');
  await vi.advanceTimersByTimeAsync(999);
  expect(ends).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(1);
  await last;
  expect(ends).toHaveLength(4);
});

test('work is waited for as long as it may take, and its failure is passed on', async () => {
  await within(600_000, Promise.resolve());
  await expect(within(600_000, Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(within(1, new Promise(() => {}))).resolves.toBeUndefined();
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
