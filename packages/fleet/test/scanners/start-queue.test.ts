import { setImmediate as turn } from 'node:timers/promises';
import { latch, until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { StartQueue } from '../../src/scanners/start-queue.js';

test('starts that somebody waits for come first, and results and errors are theirs', async () => {
  const queue = new StartQueue();
  const begun: string[] = [];
  const all: Promise<unknown>[] = [];
  for (const name of ['a', 'b', 'c']) {
    queue.later(async () => void begun.push(name));
    all.push(
      queue.now(async () => {
        begun.push(name.toUpperCase());
        if (name === 'b') throw new Error('it cannot start');
        return name;
      }),
    );
  }
  expect(await Promise.allSettled(all)).toMatchObject([
    { value: 'a' },
    { reason: new Error('it cannot start') },
    { value: 'c' },
  ]);
  await until(() => begun.length === 6);
  expect(begun).toEqual(['a', 'A', 'B', 'C', 'b', 'c']);
});

test('one start begins in each pass of the event loop', async () => {
  const queue = new StartQueue();
  let begun = 0;
  const passes: number[] = [];
  for (let count = 0; count < 20; count++) queue.later(async () => void begun++);
  while (begun < 20) {
    passes.push(begun);
    await turn();
  }
  expect(passes.length).toBeGreaterThanOrEqual(19);
});

test('starts that only wait, as for a slow disk, do not keep the next ones waiting, up to a limit', async () => {
  const queue = new StartQueue();
  const { opened, open } = latch();
  let [begun, ended] = [0, 0];
  for (let count = 0; count < 100; count++)
    queue.later(async () => {
      begun++;
      await opened;
      ended++;
    });
  await until(() => begun === 64);
  for (let passes = 0; passes < 50; passes++) await turn();
  expect(begun).toBe(64);
  open();
  await until(() => ended === 100);
});
