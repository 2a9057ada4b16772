import { expect, onTestFinished, test, vi } from 'vitest';
import { sizeText } from '../../src/parts/texts.js';
import { Looking } from '../../src/parts/waiting.js';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [9999, '10.0 kB'],
  [10_000, '10 kB'],
  [999_999, '1000 kB'],
  [1_000_000, '1.0 MB'],
  [4_140_000, '4.1 MB'],
])('%d bytes are %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});

test('looks begin with open and end with close, once, however often it is opened', () => {
  const signals: AbortSignal[] = [];
  const looking = new Looking(1000, async (aborted) => {
    signals.push(aborted);
    return 'over';
  });
  looking.open();
  looking.open();
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  looking.close();
  looking.close();
  looking.open();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
});

test('looks go on until there is nothing to look for any more, or until close', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let looks = 0;
  const looking = new Looking(1000, async () => (++looks === 3 ? 'over' : undefined));
  looking.open();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(looks).toBe(3);
  looking.close();
  looking.open();
  await vi.advanceTimersByTimeAsync(1500);
  expect(looks).toBe(5);
  looking.close();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(looks).toBe(5);
});
