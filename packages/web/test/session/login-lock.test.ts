import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LoginLock } from '../../src/session/login.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function scannerThat(isLocked: () => Promise<boolean>) {
  const query = vi.fn(isLocked);
  return { query, lock: new LoginLock(query) };
}

test('a lock is noticed, lasts 30 s at most, and is over when the scanner says so', async () => {
  let isLocked = true;
  const { lock } = scannerThat(async () => isLocked);
  await lock.check(true);
  expect(lock.locked.value).toEqual({ until: performance.now() + 30_000, byThisPage: true });
  const until = lock.locked.value?.until;
  await vi.advanceTimersByTimeAsync(8000);
  // The end stays where it was.
  expect(lock.locked.value?.until).toBe(until);
  isLocked = false;
  await vi.advanceTimersByTimeAsync(2000);
  expect(lock.locked.value).toBeUndefined();
});

test('a scanner that takes logins is asked once', async () => {
  const { lock, query } = scannerThat(async () => false);
  await lock.check(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lock.locked.value).toBeUndefined();
  expect(query).toHaveBeenCalledTimes(1);
});

test('several looks at once leave one that goes on', async () => {
  const { lock, query } = scannerThat(async () => true);
  await Promise.all([lock.check(false), lock.check(false), lock.check(false)]);
  query.mockClear();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(query).toHaveBeenCalledTimes(5);
});

test('while the scanner is gone, a known lock stays, and none is made up', async () => {
  let respond: () => Promise<boolean> = () => Promise.reject(new Error('gone'));
  const { lock } = scannerThat(() => respond());
  await lock.check(false);
  expect(lock.locked.value).toBeUndefined();
  respond = async () => true;
  await lock.check(false);
  respond = () => Promise.reject(new Error('gone'));
  await vi.advanceTimersByTimeAsync(4000);
  expect(lock.locked.value).toMatchObject({ byThisPage: false });
  respond = async () => false;
  await vi.advanceTimersByTimeAsync(2000);
  expect(lock.locked.value).toBeUndefined();
});
