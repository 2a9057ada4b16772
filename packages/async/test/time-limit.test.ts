import { atMost, doubledPause, inTime } from '@azimuth/async';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const never = new Promise<string>(() => undefined);

describe('work within a time', () => {
  const late = () => {
    throw new Error('too late');
  };

  it('gives its result, and leaves no timer', async () => {
    expect(await inTime(100, Promise.resolve('done'), late)).toBe('done');
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('fails as it does by itself', async () => {
    await expect(inTime(100, Promise.reject(new Error('broken')), late)).rejects.toThrow('broken');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('fails when its time is over', async () => {
    const failed = expect(inTime(100, never, late)).rejects.toThrow('too late');
    await vi.advanceTimersByTimeAsync(100);
    await failed;
  });

  it('may have another result when its time is over', async () => {
    const result = inTime(100, never, () => 'instead');
    await vi.advanceTimersByTimeAsync(100);
    expect(await result).toBe('instead');
  });

  it('is measured by another clock', async () => {
    const acts: (() => void)[] = [];
    const after = vi.fn((_: number, act: () => void) => {
      acts.push(act);
      return () => undefined;
    });
    const result = inTime(100, never, () => 'instead', after);
    expect(after).toHaveBeenCalledWith(100, expect.anything());
    for (const act of acts) act();
    expect(await result).toBe('instead');
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a wait for work at most', () => {
  it('ends with the work', async () => {
    expect(await atMost(100, Promise.resolve('done'))).toBeUndefined();
    await expect(atMost(100, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });

  it('ends when its time is over', async () => {
    const waiting = atMost(100, never);
    await vi.advanceTimersByTimeAsync(100);
    expect(await waiting).toBeUndefined();
  });
});

it('pauses between attempts double, up to the longest', () => {
  expect([0, 1, 2, 3, 4].map((failures) => doubledPause(50, failures, 500))).toEqual([
    50, 100, 200, 400, 500,
  ]);
  expect(doubledPause(500, 3)).toBe(4000);
  expect(doubledPause(500, 2000, 5000)).toBe(5000);
});
