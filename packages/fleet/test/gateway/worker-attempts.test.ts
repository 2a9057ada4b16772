import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WorkerAttempts } from '../../src/gateway/routes.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const one = { url: 'http://one' };
const two = { url: 'http://two' };

test('the same worker is tried after pauses that double up to half a second, and another one at once', () => {
  const tries = new WorkerAttempts();
  const pauses: number[] = [];
  expect(tries.begin(one)).toBe(true);
  for (let pause = 0; pauses.length < 6; ) {
    vi.advanceTimersByTime(10);
    pause += 10;
    if (!tries.begin(one)) continue;
    pauses.push(pause);
    pause = 0;
  }
  expect(pauses).toEqual([50, 100, 200, 400, 500, 500]);
  expect(tries.begin(one)).toBe(false);
  expect(tries.begin(two)).toBe(true);
  expect(tries.begin(two)).toBe(false);
  vi.advanceTimersByTime(50);
  expect(tries.begin(two)).toBe(true);
});
