import { describe, expect, test } from 'vitest';
import { ItemRefused, OutputEnded, SendLater, SendQueue, usualBounds } from '../../src/outputs/send-queue.js';
import { ManualClock } from './manual-clock.js';

/** What the other side does with an item. */
type Reaction = (item: string, signal: AbortSignal) => Promise<void>;

function sending(reaction: Reaction, bounds: Partial<typeof usualBounds> = {}) {
  const clock = new ManualClock();
  const attempts: string[] = [];
  const changes: (string | undefined)[] = [];
  const queue = new SendQueue<string>({
    clock,
    send: (item, signal) => {
      attempts.push(item);
      return reaction(item, signal);
    },
    bytesOf: (item) => item.length,
    lossItem: (lost) => `lost ${lost}`,
    onChange: (failure) => changes.push(failure?.message),
    bounds: { ...usualBounds, ...bounds },
    random: () => 1,
  });
  return { clock, attempts, changes, queue };
}

const accepts: Reaction = async () => undefined;
const refuses: Reaction = async () => {
  throw new Error('connection refused');
};
const never: Reaction = () => new Promise(() => undefined);

describe('a send queue', () => {
  test('sends one item after the other, in order', async () => {
    const { queue, attempts, clock } = sending(accepts);
    for (const item of ['a', 'b', 'c']) queue.add(item);
    await clock.advance(0);
    expect(attempts).toEqual(['a', 'b', 'c']);
    expect(queue.counts).toEqual({ delivered: 3, lost: 0, waiting: 0 });
  });

  test('sends an item again until it gets through, after pauses that double up to a minute', async () => {
    let isUp = false;
    const { queue, attempts, clock, changes } = sending((...args) => (isUp ? accepts : refuses)(...args));
    queue.add('a');
    queue.add('b');
    const after: number[] = [];
    for (const milliseconds of [0, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]) {
      await clock.advance(milliseconds);
      after.push(attempts.length);
    }
    expect(after).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    isUp = true;
    await clock.advance(60_000);
    expect(attempts.slice(-2)).toEqual(['a', 'b']);
    expect(changes).toEqual(['connection refused', undefined]);
    expect(queue.counts).toEqual({ delivered: 2, lost: 0, waiting: 0 });
  });

  test('drops the oldest if too many wait, and tells how many when the next one gets through', async () => {
    let isUp = false;
    const { queue, attempts, clock } = sending((...args) => (isUp ? accepts : refuses)(...args), {
      entries: 3,
    });
    for (const item of ['a', 'b', 'c', 'd', 'e']) queue.add(item);
    expect(queue.counts).toEqual({ delivered: 0, lost: 2, waiting: 3 });
    isUp = true;
    attempts.length = 0;
    await clock.advance(60_000);
    expect(attempts).toEqual(['lost 2', 'a', 'd', 'e']);
    expect(queue.counts).toEqual({ delivered: 3, lost: 2, waiting: 0 });
  });

  test('holds no more than its bytes', async () => {
    const { queue } = sending(never, { bytes: 10 });
    for (const item of ['aaaa', 'bbbb', 'cccc']) queue.add(item);
    expect(queue.counts).toEqual({ delivered: 0, lost: 1, waiting: 2 });
  });

  test('ends an attempt that takes too long, and sends the item again', async () => {
    const signals: AbortSignal[] = [];
    const { queue, clock, changes } = sending((_, signal) => {
      signals.push(signal);
      return signals.length === 1 ? new Promise(() => undefined) : Promise.resolve();
    });
    queue.add('a');
    await clock.advance(29_999);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    await clock.advance(1001);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(changes).toEqual(['expected a response within 30 s, got none', undefined]);
    expect(queue.counts.delivered).toBe(1);
  });

  test('counts an item that is refused for ever as lost, tells it, and goes on', async () => {
    const { queue, attempts, clock } = sending(async (item) => {
      if (item === 'b') throw new ItemRefused('HTTP 400');
    });
    for (const item of ['a', 'b', 'c']) queue.add(item);
    await clock.advance(0);
    expect(attempts).toEqual(['a', 'b', 'lost 1', 'c']);
    expect(queue.counts).toEqual({ delivered: 2, lost: 1, waiting: 0 });
  });

  test('waits as long as the other side asks for', async () => {
    const { queue, attempts, clock } = sending(async () => {
      if (attempts.length === 1) throw new SendLater('HTTP 503', 90_000);
    });
    queue.add('a');
    await clock.advance(89_999);
    expect(attempts).toEqual(['a']);
    await clock.advance(1);
    expect(attempts).toEqual(['a', 'a']);
  });

  test('sends nothing more after the end of the other side, and counts what it has lost', async () => {
    const { queue, attempts, clock, changes } = sending(async () => {
      throw new OutputEnded('HTTP 410');
    });
    for (const item of ['a', 'b']) queue.add(item);
    await clock.advance(600_000);
    queue.add('c');
    await clock.advance(600_000);
    expect(attempts).toEqual(['a']);
    expect(changes).toEqual(['HTTP 410']);
    expect(queue.counts).toEqual({ delivered: 0, lost: 3, waiting: 0 });
  });

  test('sends what waits when it is closed', async () => {
    const { queue, attempts } = sending(accepts);
    queue.add('a');
    queue.add('b');
    await queue.close(5000);
    expect(attempts).toEqual(['a', 'b']);
  });

  test.each([
    ['never responds', never],
    ['refuses', refuses],
  ])('ends in time if the other side %s', async (_, reaction) => {
    const { queue, clock } = sending(reaction);
    queue.add('a');
    let isClosed = false;
    const closing = queue.close(5000).then(() => {
      isClosed = true;
    });
    await clock.advance(4999);
    expect(isClosed).toBe(false);
    await clock.advance(1);
    await closing;
    expect(queue.counts).toEqual({ delivered: 0, lost: 1, waiting: 0 });
  });
});
