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
  const attempts = new WorkerAttempts();
  const pauses: number[] = [];
  expect(attempts.begin(one)).toBe(true);
  for (let pause = 0; pauses.length < 6; ) {
    vi.advanceTimersByTime(10);
    pause += 10;
    if (!attempts.begin(one)) continue;
    pauses.push(pause);
    pause = 0;
  }
  expect(pauses).toEqual([50, 100, 200, 400, 500, 500]);
  expect(attempts.begin(one)).toBe(false);
  expect(attempts.begin(two)).toBe(true);
  expect(attempts.begin(two)).toBe(false);
  vi.advanceTimersByTime(50);
  expect(attempts.begin(two)).toBe(true);
});
