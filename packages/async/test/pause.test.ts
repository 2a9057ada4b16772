import { InterruptiblePause, pause } from '@azimuth/async';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Present state of a promise. */
async function isOver(waiting: Promise<unknown>): Promise<boolean> {
  let over = false;
  void waiting.then(() => {
    over = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  return over;
}

describe('a pause', () => {
  it('ends after its time', async () => {
    const waiting = pause(100);
    await vi.advanceTimersByTimeAsync(99);
    expect(await isOver(waiting)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isOver(waiting)).toBe(true);
  });

  it('ends when its signal is aborted, and leaves no timer', async () => {
    const ending = new AbortController();
    const waiting = pause(100, ending.signal);
    expect(await isOver(waiting)).toBe(false);
    ending.abort();
    expect(await isOver(waiting)).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not begin if its signal is aborted already', async () => {
    expect(await isOver(pause(100, AbortSignal.abort()))).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves no listener at its signal', async () => {
    const { signal } = new AbortController();
    const [added, removed] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
    const waiting = pause(1, signal);
    await vi.advanceTimersByTimeAsync(1);
    await waiting;
    expect(removed.mock.calls).toEqual(added.mock.calls);
  });
});

it('a pause of a process keeps it alive, unless it is told not to', async () => {
  vi.useRealTimers();
  const unref = vi.fn();
  const timer = { unref, [Symbol.toPrimitive]: () => 1 };
  vi.stubGlobal('setTimeout', (act: () => void) => {
    queueMicrotask(act);
    return timer;
  });
  vi.stubGlobal('clearTimeout', () => undefined);
  try {
    await pause(1);
    expect(unref).not.toHaveBeenCalled();
    await pause(1, undefined, { keepsAlive: false });
    expect(unref).toHaveBeenCalledOnce();
  } finally {
    vi.unstubAllGlobals();
  }
});

describe('an interruptible pause', () => {
  it('ends after its time, each time', async () => {
    const resting = new InterruptiblePause();
    for (let round = 0; round < 2; round++) {
      const waiting = resting.wait(100);
      expect(await isOver(waiting)).toBe(false);
      await vi.advanceTimersByTimeAsync(100);
      expect(await isOver(waiting)).toBe(true);
    }
  });

  it('is ended by somebody', async () => {
    const resting = new InterruptiblePause();
    const waiting = resting.wait(100);
    resting.end();
    expect(await isOver(waiting)).toBe(true);
    expect(await isOver(resting.wait(100))).toBe(false);
  });

  it('ends at once if somebody has ended it before, once', async () => {
    const resting = new InterruptiblePause();
    resting.end();
    resting.end();
    expect(await isOver(resting.wait(100))).toBe(true);
    expect(await isOver(resting.wait(100))).toBe(false);
  });
});
