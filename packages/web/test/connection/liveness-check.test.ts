import { UnreachableError } from '@azimuth/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LivenessCheck, silenceTimeout } from '../../src/connection/liveness-check.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const responds = () => Promise.resolve(3);
const hangs = () => Promise.reject(new UnreachableError('http://scanner', 'no answer within 4 s', undefined));

function followed() {
  const events: string[] = [];
  const ask = vi.fn<() => Promise<unknown>>(responds);
  const signs = new LivenessCheck({
    ask,
    silent: () => events.push('silent'),
    back: () => events.push('back'),
  });
  return { events, ask, signs };
}

test('a scanner that sends is not asked; a silent one is', async () => {
  const { events, ask, signs } = followed();
  signs.begin();
  for (let passed = 0; passed < 4 * silenceTimeout; passed += silenceTimeout / 2) {
    await vi.advanceTimersByTimeAsync(silenceTimeout / 2);
    signs.received();
  }
  expect(ask).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(3 * silenceTimeout);
  expect(ask).toHaveBeenCalledTimes(3);
  expect(events).toEqual([]);
});

test('a scanner that does not answer is silent, until it answers or sends something', async () => {
  const { events, ask, signs } = followed();
  signs.begin();
  ask.mockImplementation(hangs);
  await vi.advanceTimersByTimeAsync(silenceTimeout);
  expect(events).toEqual(['silent']);
  ask.mockImplementation(responds);
  await vi.advanceTimersByTimeAsync(silenceTimeout);
  expect(events).toEqual(['silent', 'back']);
  ask.mockImplementation(hangs);
  await vi.advanceTimersByTimeAsync(silenceTimeout);
  signs.received();
  expect(events).toEqual(['silent', 'back', 'silent', 'back']);
});

test('after the end, nothing is asked or events', async () => {
  const { events, ask, signs } = followed();
  signs.begin();
  ask.mockImplementation(async () => {
    signs.end();
    return hangs();
  });
  await vi.advanceTimersByTimeAsync(10 * silenceTimeout);
  expect(ask).toHaveBeenCalledTimes(1);
  expect(events).toEqual([]);
});
