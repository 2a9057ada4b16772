import { expect, test } from 'vitest';
import { oldestOfCommonest } from '../../src/events/event-stream.js';
import { WaitingQueue } from '../../src/events/waiting-queue.js';

const value = (item: unknown) => ({ done: false, value: item });
const done = { done: true, value: undefined };
const of = (event: string, data = 0) => ({ event, data });

test('values come in order, also to callers that wait', async () => {
  const queue = new WaitingQueue(9);
  const waiting = [queue.next(), queue.next()];
  for (const event of ['a', 'b', 'c']) queue.push(of(event));
  expect(await Promise.all([...waiting, queue.next()])).toEqual([
    value(of('a')),
    value(of('b')),
    value(of('c')),
  ]);
  expect(queue.dropped).toBe(0);
});

test('if it is full, the event with most values loses its oldest one', async () => {
  const queue = new WaitingQueue<ReturnType<typeof of>>(3, { victim: oldestOfCommonest });
  queue.push(of('rare'));
  for (let data = 0; data < 5; data++) queue.push(of('often', data));
  expect(queue.dropped).toBe(3);
  const kept = [await queue.next(), await queue.next(), await queue.next()];
  expect(kept).toEqual([value(of('rare')), value(of('often', 3)), value(of('often', 4))]);
});

test('after the end, it gives the remaining values, then the error once, then nothing', async () => {
  const queue = new WaitingQueue(3);
  queue.push(of('a'));
  queue.end(new Error('broken'));
  queue.end(new Error('again'));
  queue.push(of('b'));
  expect(await queue.next()).toEqual(value(of('a')));
  await expect(queue.next()).rejects.toThrow('broken');
  expect(await queue.next()).toEqual(done);
});

test('after it is closed, it gives nothing, and no caller waits', async () => {
  const queue = new WaitingQueue(3);
  const waiting = queue.next();
  queue.close();
  queue.push(of('a'));
  expect([await waiting, await queue.next()]).toEqual([done, done]);
});

test('if it is full, the oldest value makes room, and the next one can take over what it said', async () => {
  const queue = new WaitingQueue<string>(2, { follow: (gone, next) => gone + next });
  for (const letter of 'abcd') queue.push(letter);
  expect([await queue.next(), await queue.next()]).toEqual([value('abc'), value('d')]);
  expect(queue.dropped).toBe(2);
});
