import { expect, test, vi } from 'vitest';
import { csvCell, sizeText } from '../../src/parts/files.js';
import { pause, WhileOpen } from '../../src/parts/waiting.js';

test.each([
  ['plain', 'plain'],
  ['a, b', '"a, b"'],
  ['say "x"', '"say ""x"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['@x', "'@x"],
  ['-5', '-5'],
  ['-x', "'-x"],
  ['+1.5', '+1.5'],
])('the cell of %j is %j: one field, no formula, and numbers as they are', (text, cell) => {
  expect(csvCell(text)).toBe(cell);
});

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

test('a pause ends after its time, or when it is broken off, and leaves no timer', async () => {
  vi.useFakeTimers();
  try {
    const stop = new AbortController();
    const ends: string[] = [];
    void pause(1000, stop.signal).then(() => ends.push('one'));
    void pause(5000, stop.signal).then(() => ends.push('other'));
    await vi.advanceTimersByTimeAsync(999);
    expect(ends).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(ends).toEqual(['one']);
    stop.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect([ends, vi.getTimerCount()]).toEqual([['one', 'other'], 0]);
  } finally {
    vi.useRealTimers();
  }
});

test('work goes on from open to close, once, however often it is opened', () => {
  const signals: AbortSignal[] = [];
  const work = new WhileOpen(async (aborted) => void signals.push(aborted));
  work.open();
  work.open();
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  work.close();
  work.close();
  work.open();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
});
