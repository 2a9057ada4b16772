import { expect, onTestFinished, test, vi } from 'vitest';
import { Polling, Semaphore } from '../../src/parts/waiting.js';

/** Acts that end when they are told to. */
function acts(turns: Semaphore) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string) =>
    turns.run(async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
    });
  return { begun, ends, start };
}

test('only so many act at once, and the others follow in their order', async () => {
  const { begun, ends, start } = acts(new Semaphore(2));
  const all = ['a', 'b', 'c', 'd'].map(start);
  await Promise.resolve();
  expect(begun).toEqual(['a', 'b']);
  ends.get('b')?.();
  await all[1];
  await Promise.resolve();
  expect(begun).toEqual(['a', 'b', 'c']);
  ends.get('a')?.();
  await all[0];
  await Promise.resolve();
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  ends.get('c')?.();
  ends.get('d')?.();
  await Promise.all(all);
});

test('a failure ends a turn, and a turn ends once', async () => {
  const turns = new Semaphore(1);
  await expect(turns.run(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  const end = await turns.acquire();
  end();
  end();
  const { begun, start } = acts(turns);
  void start('a');
  void start('b');
  await Promise.resolve();
  await Promise.resolve();
  expect(begun).toEqual(['a']);
});

test('looks begin with open and end with close, once, however often it is opened', () => {
  const signals: AbortSignal[] = [];
  const polling = new Polling(1000, async (aborted) => {
    signals.push(aborted);
    return 'over';
  });
  polling.open();
  polling.open();
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  polling.close();
  polling.close();
  polling.open();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
});

test('looks go on until there is nothing to look for any more, or until close', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let polls = 0;
  const polling = new Polling(1000, async () => (++polls === 3 ? 'over' : undefined));
  polling.open();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(polls).toBe(3);
  polling.close();
  polling.open();
  await vi.advanceTimersByTimeAsync(1500);
  expect(polls).toBe(5);
  polling.close();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(polls).toBe(5);
});
