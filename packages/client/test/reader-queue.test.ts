import { describe, expect, it } from 'vitest';
import { oldestOfCommonest } from '../src/events/event-stream.js';
import { checkedBuffer, ReaderQueue } from '../src/reader-queue.js';

const value = (item: string) => ({ done: false, value: item });
const done = { done: true, value: undefined };

describe('what waits for a reader', () => {
  it('gives its items in order, also to callers that wait', async () => {
    const queue = new ReaderQueue<string>({ items: 9, bytes: 100 });
    const [first, second] = [queue.next(), queue.next()];
    for (const item of ['a', 'b', 'c']) queue.push(item, 1);
    expect(await Promise.all([first, second, queue.next()])).toEqual([value('a'), value('b'), value('c')]);
  });

  it('drops the oldest items if there are too many items or bytes, but never the newest', async () => {
    const queue = new ReaderQueue<string>({ items: 3, bytes: 10 });
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
    const queue = new ReaderQueue<string>({ items: 3, bytes: 10 });
    queue.push('a', 1);
    queue.end(new Error('broken'));
    queue.push('b', 1);
    expect(await queue.next()).toEqual(value('a'));
    await expect(queue.next()).rejects.toThrow('broken');
    expect(await queue.next()).toEqual(done);
  });

  it('gives an error to the first caller that waits, and the end to the others', async () => {
    const queue = new ReaderQueue<string>({ items: 3, bytes: 10 });
    const [first, second] = [queue.next(), queue.next()];
    queue.end(new Error('broken'));
    await expect(first).rejects.toThrow('broken');
    expect([await second, await queue.next()]).toEqual([done, done]);
  });

  it('drops the oldest value of the event that has most of them, if it is told so', async () => {
    const of = (event: string, data = 0) => ({ event, data });
    const queue = new ReaderQueue<ReturnType<typeof of>>({ items: 3, victim: oldestOfCommonest });
    queue.push(of('rare'));
    for (let data = 0; data < 5; data++) queue.push(of('often', data));
    expect(queue.dropped).toBe(3);
    const kept = [await queue.next(), await queue.next(), await queue.next()].map((read) => read.value);
    expect(kept).toEqual([of('rare'), of('often', 3), of('often', 4)]);
  });

  it('lets the next item take over what the dropped one said, if it is told so', async () => {
    const queue = new ReaderQueue<string>({ items: 2, follow: (gone, next) => gone + next });
    for (const letter of 'abcd') queue.push(letter);
    expect([await queue.next(), await queue.next()]).toEqual([value('abc'), value('d')]);
    expect(queue.dropped).toBe(2);
  });

  it('gives nothing after it is closed, an error neither, and no caller waits', async () => {
    const queue = new ReaderQueue<string>({ items: 3 });
    const waiting = queue.next();
    queue.close();
    queue.push('a');
    expect([await waiting, await queue.next()]).toEqual([done, done]);
    const failed = new ReaderQueue<string>({ items: 3 });
    failed.end(new Error('broken'));
    failed.close();
    expect(await failed.next()).toEqual(done);
  });
});

it.each([0, 1.5, Number.NaN])('a buffer of %d values is refused', (items) => {
  expect(() => checkedBuffer(items, 'values')).toThrow('expected a buffer of 1 or more values');
});
