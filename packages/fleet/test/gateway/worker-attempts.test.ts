import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WorkerAttempts } from '../../src/gateway/routes.js';
import type { WorkerAddress } from '../../src/gateway/worker-connections.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const one = { url: 'http://one' };
const two = { url: 'http://two' };

/** Attempts at a scanner that the first worker has. */
function attemptsAtScanner() {
  const owner: { worker: WorkerAddress | undefined } = { worker: one };
  const routes = {
    scanners: new Map(),
    workers: [one, two],
    workerOf: () => owner.worker,
    refresh: () => Promise.resolve(),
  };
  return { owner, attempts: new WorkerAttempts(routes, '1', 2000) };
}

test('the same worker is tried after pauses that double up to half a second, and another one at once', () => {
  const { owner, attempts } = attemptsAtScanner();
  const pauses: number[] = [];
  expect(attempts.next()).toBe(one);
  for (let pause = 0; pauses.length < 6; ) {
    vi.advanceTimersByTime(10);
    pause += 10;
    if (attempts.next() === 'later') continue;
    pauses.push(pause);
    pause = 0;
  }
  expect(pauses).toEqual([50, 100, 200, 400, 500, 500]);
  expect(attempts.next()).toBe('later');
  owner.worker = two;
  expect(attempts.next()).toBe(two);
  expect(attempts.next()).toBe('later');
  vi.advanceTimersByTime(50);
  expect(attempts.next()).toBe(two);
});

test('attempts go on until the patience has ended, also while no worker has the scanner', async () => {
  const { owner, attempts } = attemptsAtScanner();
  owner.worker = undefined;
  expect(attempts.next()).toBeUndefined();
  expect(await attempts.mayGoOn()).toBe(true);
  vi.advanceTimersByTime(2001);
  expect(await attempts.mayGoOn()).toBe(false);
});
