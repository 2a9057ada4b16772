import { UnreachableError } from '@azimuth/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askAfter, SignsOfLife } from '../../src/connection/signs-of-life.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const answers = () => Promise.resolve(3);
const hangs = () => Promise.reject(new UnreachableError('http://scanner', 'no answer within 4 s', undefined));

function followed() {
  const told: string[] = [];
  const ask = vi.fn<() => Promise<unknown>>(answers);
  const signs = new SignsOfLife({
    ask,
    silent: () => told.push('silent'),
    back: () => told.push('back'),
  });
  return { told, ask, signs };
}

test('a scanner that sends is not asked; a silent one is', async () => {
  const { told, ask, signs } = followed();
  signs.begin();
  for (let passed = 0; passed < 4 * askAfter; passed += askAfter / 2) {
    await vi.advanceTimersByTimeAsync(askAfter / 2);
    signs.seen();
  }
  expect(ask).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(3 * askAfter);
  expect(ask).toHaveBeenCalledTimes(3);
  expect(told).toEqual([]);
});

test('a scanner that does not answer is silent, until it answers or sends something', async () => {
  const { told, ask, signs } = followed();
  signs.begin();
  ask.mockImplementation(hangs);
  await vi.advanceTimersByTimeAsync(askAfter);
  expect(told).toEqual(['silent']);
  ask.mockImplementation(answers);
  await vi.advanceTimersByTimeAsync(askAfter);
  expect(told).toEqual(['silent', 'back']);
  ask.mockImplementation(hangs);
  await vi.advanceTimersByTimeAsync(askAfter);
  signs.seen();
  expect(told).toEqual(['silent', 'back', 'silent', 'back']);
});

test('after the end, nothing is asked or told', async () => {
  const { told, ask, signs } = followed();
  signs.begin();
  ask.mockImplementation(async () => {
    signs.end();
    return hangs();
  });
  await vi.advanceTimersByTimeAsync(10 * askAfter);
  expect(ask).toHaveBeenCalledTimes(1);
  expect(told).toEqual([]);
});
