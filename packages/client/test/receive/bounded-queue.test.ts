import { describe, expect, it } from 'vitest';
import { BoundedQueue } from '../../src/receive/bounded-queue.js';

const value = (item: string) => ({ done: false, value: item });
const done = { done: true, value: undefined };

describe('a bounded queue', () => {
  it('gives its items in order, also to callers that wait', async () => {
    const queue = new BoundedQueue<string>({ items: 9, bytes: 100 });
    const [first, second] = [queue.next(), queue.next()];
    for (const item of ['a', 'b', 'c']) queue.push(item, 1);
    expect(await Promise.all([first, second, queue.next()])).toEqual([value('a'), value('b'), value('c')]);
  });

  it('drops the oldest items if there are too many items or bytes, but never the newest', async () => {
    const queue = new BoundedQueue<string>({ items: 3, bytes: 10 });
    for (const item of ['a', 'b', 'c', 'd']) queue.push(item, 1);
    expect(queue.dropped).toBe(1);
    queue.push('large', 99);
    expect(queue.dropped).toBe(4);
    expect(await queue.next()).toEqual(value('large'));
    queue.push('e', 9);
    queue.push('f', 1);
    expect(queue.dropped).toBe(4);
  });

  it('gives the remaining items after its end, then the error once, then nothing', async () => {
    const queue = new BoundedQueue<string>({ items: 3, bytes: 10 });
    queue.push('a', 1);
    queue.end(new Error('broken'));
    queue.push('b', 1);
    expect(await queue.next()).toEqual(value('a'));
    await expect(queue.next()).rejects.toThrow('broken');
    expect(await queue.next()).toEqual(done);
  });

  it('gives an error to the first caller that waits, and the end to the others', async () => {
    const queue = new BoundedQueue<string>({ items: 3, bytes: 10 });
    const [first, second] = [queue.next(), queue.next()];
    queue.end(new Error('broken'));
    await expect(first).rejects.toThrow('broken');
    expect([await second, await queue.next()]).toEqual([done, done]);
  });
});
