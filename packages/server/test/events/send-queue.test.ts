import { expect, test } from 'vitest';
import type { EventCounts } from '../../src/events/event-metrics.js';
import { mostWaitingTogether } from '../../src/events/limits.js';
import { type QueueRules, type Sender, SendQueue, ValueQueue } from '../../src/events/send-queue.js';

const usual: QueueRules = { priority: 'MID', maxSize: 1, discardIfFull: 'OLDEST' };

/** A client that accepts as many messages as the test allows. */
class Reader implements Sender {
  room = 0;
  isPaused = false;
  isCut = false;
  readonly read: string[] = [];
  #drained: () => void = () => undefined;
  readonly counts: EventCounts = {
    connections: 0,
    registrations: 0,
    waiting: 0,
    pushed: 0,
    throttled: 0,
    discarded: 0,
  };
  readonly sendQueue = new SendQueue(this, this.counts);

  get isFull(): boolean {
    return this.room === 0;
  }

  onDrain(drained: () => void): void {
    this.#drained = drained;
  }

  send(text: string): void {
    this.room--;
    this.read.push(text.slice(0, 20));
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  cut(): void {
    this.isCut = true;
  }

  /** Accepts this number of messages. */
  take(count: number): readonly string[] {
    this.read.length = 0;
    this.room = count;
    this.#drained();
    return this.read;
  }

  tell(queue: ValueQueue, ...texts: readonly string[]): void {
    for (const text of texts) this.sendQueue.send(text, queue);
  }
}

function queue(head: string, rules: Partial<QueueRules> = {}): ValueQueue {
  return new ValueQueue({ ...usual, ...rules }, head);
}

test('a client that reads gets each value at once', () => {
  const reader = new Reader();
  reader.room = 3;
  reader.tell(queue('a'), '1', '2', '3');
  expect(reader.read).toEqual(['a1', 'a2', 'a3']);
  expect(reader.counts).toMatchObject({ pushed: 3, discarded: 0 });
});

test.each([
  ['OLDEST', 1, ['a4']],
  ['OLDEST', 3, ['a2', 'a3', 'a4']],
  ['NEWEST', 1, ['a1']],
  ['NEWEST', 3, ['a1', 'a2', 'a3']],
] as const)('a full queue drops the %s, with room for %d', (discardIfFull, maxSize, kept) => {
  const reader = new Reader();
  reader.tell(queue('a', { discardIfFull, maxSize }), '1', '2', '3', '4');
  expect(reader.read).toEqual([]);
  expect(reader.take(10)).toEqual(kept);
  expect(reader.counts).toMatchObject({ pushed: kept.length, discarded: 4 - kept.length });
});

test('the higher priority is sent first; with equal priority, the older value', () => {
  const reader = new Reader();
  const [low, mid, other, high] = [
    queue('low', { priority: 'LOW', maxSize: 2 }),
    queue('mid', { maxSize: 2 }),
    queue('other', { maxSize: 2 }),
    queue('high', { priority: 'HIGH', maxSize: 2 }),
  ];
  reader.tell(low, '1');
  reader.tell(mid, '1');
  reader.tell(other, '1');
  reader.tell(high, '1');
  reader.tell(mid, '2');
  reader.tell(high, '2');
  expect([...reader.take(3)]).toEqual(['high1', 'high2', 'mid1']);
  reader.tell(high, '3');
  expect([...reader.take(9)]).toEqual(['high3', 'other1', 'mid2', 'low1']);
});

test('waiting replies are sent before values, and meanwhile nothing is read from the client', () => {
  const reader = new Reader();
  reader.tell(queue('a', { priority: 'HIGH' }), '1');
  reader.sendQueue.respond('r!');
  expect(reader.isPaused).toBe(true);
  expect([...reader.take(1)]).toEqual(['r!']);
  expect(reader.isPaused).toBe(false);
  expect([...reader.take(1)]).toEqual(['a1']);
});

test('a client that sends requests and reads no replies is disconnected', () => {
  const reader = new Reader();
  for (let count = 0; count < 4; count++) reader.sendQueue.respond('x'.repeat(262_001));
  expect(reader.isCut).toBe(false);
  reader.sendQueue.respond('x'.repeat(262_001));
  expect(reader.isCut).toBe(true);
});

test('at most 1 MiB waits for one client, whatever its queues allow', () => {
  const reader = new Reader();
  const big = queue('a', { maxSize: 1000 });
  for (let count = 0; count < 9; count++) reader.tell(big, `${count}${'x'.repeat(131_071)}`);
  expect(reader.take(99).map((text) => text[1])).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
});

test('waiting values of a deregistered event are not sent', () => {
  const reader = new Reader();
  const [one, other] = [queue('a'), queue('b')];
  reader.tell(one, '1');
  reader.tell(other, '1');
  reader.sendQueue.drop(one);
  expect(reader.take(9)).toEqual(['b1']);
});

const part = 'x'.repeat(131_071);

test('when the limit is reached, a value of higher priority replaces the oldest value of the lowest priority', () => {
  const reader = new Reader();
  const [low, mid, high] = [
    queue('l', { priority: 'LOW', maxSize: 1000 }),
    queue('m', { maxSize: 1000 }),
    queue('h', { priority: 'HIGH', maxSize: 1000, discardIfFull: 'NEWEST' }),
  ];
  reader.tell(mid, `1${part}`, `2${part}`);
  for (let count = 1; count <= 6; count++) reader.tell(low, `${count}${part}`);
  reader.tell(high, `1${part}`, `2${part}`);
  // Values of lower priority than the waiting ones replace only values of their own registration.
  reader.tell(low, `7${part}`);
  expect(reader.counts.discarded).toBe(3);
  expect(reader.take(99).map((text) => text.slice(0, 2))).toEqual([
    'h1',
    'h2',
    'm1',
    'm2',
    'l4',
    'l5',
    'l6',
    'l7',
  ]);
});

test('if only values of higher priority wait, the new value is dropped', () => {
  const reader = new Reader();
  const high = queue('h', { priority: 'HIGH', maxSize: 1000 });
  for (let count = 1; count <= 8; count++) reader.tell(high, `${count}${part}`);
  reader.tell(queue('m'), `1${part}`);
  expect(reader.counts.discarded).toBe(1);
  expect(reader.take(99).map((text) => text[0])).toEqual(Array.from('hhhhhhhh'));
});

test('the first value of a registration gets room, and the only value of another registration is kept if possible', () => {
  const reader = new Reader();
  const [many, one, other] = [queue('a', { maxSize: 1000 }), queue('b'), queue('c')];
  reader.tell(one, `1${part}`);
  for (let count = 1; count <= 7; count++) reader.tell(many, `${count}${part}`);
  reader.tell(other, `1${part}`);
  expect(reader.take(99).map((text) => text.slice(0, 2))).toEqual([
    'b1',
    'a2',
    'a3',
    'a4',
    'a5',
    'a6',
    'a7',
    'c1',
  ]);
});

test('a queue that keeps its oldest values also keeps them when the limit is reached', () => {
  const reader = new Reader();
  const oldest = queue('a', { maxSize: 1000, discardIfFull: 'NEWEST' });
  for (let count = 1; count <= 9; count++) reader.tell(oldest, `${count}${part}`);
  expect(reader.take(99).map((text) => text[1])).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
});

test('a registration that ends makes room for others', () => {
  const reader = new Reader();
  const [ended, other] = [queue('a', { maxSize: 1000 }), queue('b', { maxSize: 1000 })];
  for (let count = 1; count <= 8; count++) reader.tell(ended, `${count}${part}`);
  reader.sendQueue.drop(ended);
  for (let count = 1; count <= 8; count++) reader.tell(other, `${count}${part}`);
  expect(reader.counts.discarded).toBe(0);
  expect(reader.take(99)).toHaveLength(8);
});

test('all clients share a limit; values of a closed connection no longer count', () => {
  const counts: EventCounts = { ...new Reader().counts };
  const readers = Array.from({ length: 40 }, () => {
    const reader = new Reader();
    return { reader, sendQueue: new SendQueue(reader, counts), value: queue('"v":', { maxSize: 1000 }) };
  });
  const megabyte = 'x'.repeat(1024 * 1024);
  for (const { sendQueue, value } of readers) sendQueue.send(megabyte, value);
  expect(counts).toMatchObject({ waiting: mostWaitingTogether, discarded: readers.length - 32 });
  const [first, second] = readers;
  second?.sendQueue.respond('one more');
  expect(second?.reader.isCut).toBe(true);
  second?.sendQueue.end();
  first?.sendQueue.respond('now there is room');
  expect(first?.reader.isCut).toBe(false);
  for (const { sendQueue } of readers) sendQueue.end();
  expect(counts.waiting).toBe(0);
});
