import { Mutex } from '@azimuth/async';
import { latch, promisesSettled } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';

test('actions run one after the other, also behind one that fails', async () => {
  const mutex = new Mutex();
  const first = latch();
  const order: string[] = [];
  const failed = mutex.run(async () => {
    order.push('first begins');
    await first.opened;
    throw new Error('no disk');
  });
  const second = mutex.run(() => {
    order.push('second');
    return 2;
  });
  await promisesSettled();
  expect(order).toEqual(['first begins']);
  first.open();
  await expect(failed).rejects.toThrow('no disk');
  expect(await second).toBe(2);
  expect(order).toEqual(['first begins', 'second']);
});

test('it is idle when all actions so far have ended', async () => {
  const mutex = new Mutex();
  const ended = latch();
  let isIdle = false;
  const action = mutex.run(() => ended.opened);
  const idle = mutex.idle().then(() => {
    isIdle = true;
  });
  await promisesSettled();
  expect(isIdle).toBe(false);
  ended.open();
  await Promise.all([action, idle]);
  expect(isIdle).toBe(true);
});
