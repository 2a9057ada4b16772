import { describe, expect, it } from 'vitest';
import { asObject } from '../../bench/src/telegram/msgpack-library.js';
import {
  beams,
  compact,
  library,
  msgpack,
  segmentWith,
  telegramOf,
  telegramTasks,
} from '../../bench/src/telegram/tasks.js';

describe('the telegrams that are encoded', () => {
  it.each([
    [1, 32 + 72 + 276 * 7 + 4],
    [3, 32 + 72 + 276 * 15 + 4],
  ])('have %i echo(es) and %i bytes as Compact', (echoes, bytes) => {
    const [first, second] = telegramTasks(echoes, undefined);
    expect(first?.subject).toBe(compact);
    expect(first?.call()).toBe(bytes);
    expect(second?.subject).toBe(msgpack);
    expect(second?.call()).toBeGreaterThan(bytes);
  });

  it('go to the library whole: the arrays themselves, under the numbers of the format', () => {
    const module = segmentWith(3);
    const object = asObject(telegramOf(module));
    expect(object).toMatchObject({
      16: 0x90,
      17: { 176: 1, 150: [{ 17: { 80: { length: beams }, 82: { length: 3 * beams }, 119: beams, 120: 3 } }] },
    });
    expect(JSON.stringify(object)).toContain(JSON.stringify(module.rssi));
  });

  it('are another one each time', () => {
    const sequences: unknown[] = [];
    const tasks = telegramTasks(1, (value) => {
      const figure = Object.values(Object(value))[1];
      sequences.push(Object.entries(Object(figure)).find(([key]) => key === '176')?.[1]);
      return new Uint8Array(1);
    });
    const task = tasks.find(({ subject }) => subject === library);
    task?.call();
    task?.call();
    expect(sequences).toEqual([2, 3]);
  });

  it('have beams without a second or third echo, as scenes do', () => {
    const { distance } = segmentWith(3);
    const expected = [0, 1, 2].map(
      (echo) => distance.filter((mm, place) => place % 3 === echo && mm > 0).length,
    );
    expect(expected).toEqual([276, 92, 31]);
  });
});
