import { performance } from 'node:perf_hooks';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { hostTimers } from '../../src/clock/host-timers.js';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Resolves when these callbacks were called. Tells the time (ms) at which each was called, and was due. */
function called(waits: readonly number[]): Promise<{ readonly at: number; readonly due: number }[]> {
  const calls: { at: number; due: number }[] = [];
  return new Promise((resolve) => {
    for (const wait of waits) {
      const { at: due } = hostTimers.set(wait, () => {
        calls.push({ at: performance.now(), due });
        if (calls.length === waits.length) resolve(calls);
      });
    }
  });
}

test('callbacks are called in the order of their times, and none too early', async () => {
  const waits = [5, 1, 49, 0, 3.5, 3, 5];
  const calls = await called(waits);
  expect(calls.map(({ due }) => due)).toEqual(calls.map(({ due }) => due).toSorted((a, b) => a - b));
  for (const { at, due } of calls) expect(at).toBeGreaterThanOrEqual(due);
});

test('a callback that is due much later may be called a millisecond too early, by a timer of Node', async () => {
  const [call] = await called([51]);
  expect(call?.at).toBeGreaterThan(Number(call?.due) - 1);
});

test('a callback that is cleared is not called, also one that was due together with the one that clears it', async () => {
  const unwanted = vi.fn();
  const waits = [1, 1.5, 2, 60];
  hostTimers.set(0.5, () => {
    for (const timer of timers) hostTimers.clear(timer);
  });
  const timers = waits.map((wait) => hostTimers.set(wait, unwanted));
  const begun = performance.now();
  while (performance.now() < begun + 3);
  await called([1, 65]);
  expect(unwanted).not.toHaveBeenCalled();
});

/** Calls back as if 120 scanners streamed, each of them so many times. Tells how late (ms) each callback was. */
async function stream(rounds: number): Promise<readonly number[]> {
  const late: number[] = [];
  await Promise.all(
    Array.from({ length: 120 }, async (_, scanner) => {
      for (let round = 0; round < rounds; round++)
        late.push(...(await called([(1 + (scanner % 30)) / 10])).map(({ at, due }) => at - due));
    }),
  );
  return late;
}

/** Works for so many ms in each turn of the event loop, until the result is called, which tells the number of turns. */
function workInEachTurn(milliseconds: number): () => number {
  let turns = 0;
  let isOver = false;
  const work = () => {
    turns++;
    const begun = performance.now();
    while (performance.now() < begun + milliseconds);
    if (!isOver) setImmediate(work);
  };
  setImmediate(work);
  return () => {
    isOver = true;
    return turns;
  };
}

describe('while each run has many callbacks', () => {
  test('the next ones are awaited in pauses, and others have their turn', async () => {
    const pauses = vi.spyOn(Atomics, 'wait');
    const turns = workInEachTurn(0);
    const late = await stream(30);
    expect(late).toHaveLength(30 * 120);
    expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
    expect(pauses).toHaveBeenCalled();
    for (const [, , , pause] of pauses.mock.calls) expect(pause).toBeLessThanOrEqual(0.5);
    expect(turns()).toBeGreaterThanOrEqual(pauses.mock.calls.length);
    // Few callbacks have a timer of Node again.
    await called([3]);
    pauses.mockClear();
    await called([3]);
    expect(pauses).not.toHaveBeenCalled();
  });

  test('there is no pause while the process has other work', async () => {
    const end = workInEachTurn(0.2);
    await stream(1);
    const pauses = vi.spyOn(Atomics, 'wait');
    await stream(20);
    end();
    expect(pauses).not.toHaveBeenCalled();
  });
});

test.each([Number.NaN, -5, Number.NEGATIVE_INFINITY])(
  'a wait of %d ms ends at once, and delays no other',
  async (wait) => {
    const seen: number[] = [];
    hostTimers.set(2, () => seen.push(2));
    hostTimers.set(wait, () => seen.push(wait));
    await called([5]);
    expect(seen).toEqual([wait, 2]);
  },
);

test('a callback that throws keeps none of the others', async () => {
  const failed = vi.fn();
  const listeners = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', failed);
  hostTimers.set(1, () => {
    throw new Error('out of order');
  });
  await called([1, 2]);
  process.removeAllListeners('uncaughtException');
  for (const listener of listeners) process.on('uncaughtException', listener);
  expect(failed).toHaveBeenCalledTimes(1);
});

test('a timer that a test has faked, and that never ends, does not stop the others', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const timer = hostTimers.set(1, () => undefined);
  vi.useRealTimers();
  await called([110]);
  expect(await called([5])).toHaveLength(1);
  hostTimers.clear(timer);
});
