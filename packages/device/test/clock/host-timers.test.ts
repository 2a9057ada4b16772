import { performance } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { hostTimers } from '../../src/clock/host-timers.js';

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

test('while each run has many callbacks, the next ones are awaited in pauses, and others have their turn', async () => {
  const pauses = vi.spyOn(Atomics, 'wait');
  const streams = 120;
  const rounds = 30;
  let turns = 0;
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      await turn();
      turns += 1;
    }
  })();
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: streams }, async (_, stream) => {
      for (let round = 0; round < rounds; round++)
        times.push(...(await called([(1 + (stream % 30)) / 10])).map(({ at, due }) => at - due));
    }),
  );
  isOver = true;
  await others;
  expect(times).toHaveLength(streams * rounds);
  expect(Math.min(...times)).toBeGreaterThanOrEqual(0);
  expect(pauses).toHaveBeenCalled();
  for (const [, , , pause] of pauses.mock.calls) expect(pause).toBeLessThanOrEqual(0.5);
  expect(turns).toBeGreaterThanOrEqual(pauses.mock.calls.length);
  pauses.mockClear();
  // Few callbacks have a timer of Node again.
  await called([3]);
  await called([3]);
  expect(pauses).not.toHaveBeenCalled();
});

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
