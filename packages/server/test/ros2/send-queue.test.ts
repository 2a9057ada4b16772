import { VirtualClock } from '@azimuth/device';
import { decodeMessage } from '@azimuth/telegrams/rtps';
import { expect, test } from 'vitest';
import { SampleHistory } from '../../src/ros2/history.js';
import { mostHistoryBytes, mostQueued, mostUnsent, pacedBytes } from '../../src/ros2/limits.js';
import { SendQueue } from '../../src/ros2/send-queue.js';

const writer = 0x103;

function started(datagramBytes = 1400, isTaken = true) {
  const clock = new VirtualClock();
  const sent: Uint8Array[] = [];
  const waiting: (() => void)[] = [];
  let lost = 0;
  const queue = new SendQueue({
    ownPrefix: '0102030405060708090a0b0c',
    peer: 'f1f2f3f4f5f6f7f8f9fafbfc',
    clock,
    datagramBytes,
    send: (parts, done) => {
      sent.push(Buffer.concat(parts));
      if (isTaken) done(null);
      else waiting.push(() => done(null));
    },
    sent: () => undefined,
    failed: () => {
      lost += 1;
    },
  });
  const history = new SampleHistory(1);
  /** Adds a sample whose bytes all have this value. */
  function written(bytes: number, value: number) {
    const payload = history.buffer(bytes).subarray(0, bytes).fill(value);
    return history.add(payload, 0);
  }
  const bytesSent = () => sent.reduce((sum, { length }) => sum + length, 0);
  const completed = () => {
    for (const done of waiting.splice(0)) done();
  };
  return { clock, queue, history, sent, written, bytesSent, completed, lost: () => lost };
}

test('a small sample goes out at once, with a heartbeat behind it', () => {
  const { queue, sent, written } = started();
  const facts = { reader: 0, writer, first: 1, last: 1, count: 1, isFinal: false };
  queue.sample(writer, written(400, 7), () => facts);
  expect(sent).toHaveLength(1);
  const { submessages } = decodeMessage(sent[0] ?? Buffer.of());
  expect(submessages.map(({ kind }) => kind)).toEqual([
    'infoDestination',
    'infoTimestamp',
    'data',
    'heartbeat',
  ]);
});

test('a large sample goes out in fragments, at a limited rate, each a datagram of limited size', () => {
  const { clock, queue, sent, written, bytesSent } = started();
  queue.sample(writer, written(300_000, 7));
  for (let millisecond = 1; millisecond <= 4; millisecond++) {
    expect(bytesSent()).toBeLessThan(millisecond * pacedBytes * 1.1);
    clock.advance(1);
  }
  clock.advance(10);
  expect(Math.max(...sent.map(({ length }) => length))).toBeLessThanOrEqual(1400);
  const fragments = sent.flatMap((datagram) => decodeMessage(datagram).submessages.at(-1) ?? []);
  const parts = fragments.flatMap((part) => (part.kind === 'dataFragment' ? part : []));
  expect(parts.map(({ first }) => first)).toEqual(parts.map((_, index) => index + 1));
  const whole = Buffer.concat(parts.map(({ payload }) => payload));
  expect(whole.equals(Buffer.alloc(300_000, 7))).toBe(true);
});

test('the memory of a sample is not used again until all of it is sent', () => {
  const { clock, queue, history, sent, written, completed } = started();
  const sample = written(100_000, 7);
  queue.sample(writer, sample);
  const next = written(100_000, 8);
  expect(next.payload.buffer).not.toBe(sample.payload.buffer);
  clock.advance(10);
  for (const datagram of sent) expect(datagram.at(-1)).toBe(7);
  completed();
  expect(sample.pending).toBe(0);
  // Nothing waits any more, so a dropped sample gives its memory to the next one.
  expect(history.buffer(100_000).buffer).toBe(next.payload.buffer);
});

test('samples above the limit are lost, and counted', () => {
  const { queue, written, lost } = started();
  for (let count = 0; count < mostQueued + 3; count++) queue.sample(writer, written(300_000, 7));
  expect(lost()).toBe(3);
});

test('fragments that a sample does not have are not sent', () => {
  const { clock, queue, sent, written } = started();
  queue.fragments(writer, written(3000, 7), [0, 2, 4, 99]);
  clock.advance(10);
  expect(sent).toHaveLength(1);
});

test('a history keeps samples up to its depth, and fewer if they are large', () => {
  const history = new SampleHistory(5);
  for (let count = 0; count < 10; count++) history.add(new Uint8Array(100), 0);
  expect([history.first, history.last]).toEqual([6, 10]);
  for (let count = 0; count < 10; count++) history.add(history.buffer(mostHistoryBytes / 4), 0);
  expect([history.first, history.last]).toEqual([18, 20]);
  history.add(history.buffer(2 * mostHistoryBytes), 0);
  expect([history.first, history.last]).toEqual([21, 21]);
  history.remove(21);
  expect([history.first, history.last]).toEqual([22, 21]);
});

test('a history keeps samples for a time, and the last one for ever', () => {
  const history = new SampleHistory(100, 2000);
  for (let second = 0; second <= 10; second++) history.add(new Uint8Array(100), second * 1_000_000);
  expect([history.first, history.last]).toEqual([9, 11]);
  history.add(new Uint8Array(100), 3_600_000_000);
  expect([history.first, history.last]).toEqual([12, 12]);
});

test('the memory of samples that are dropped is used again, unless it is much too large', () => {
  const history = new SampleHistory(1);
  const written = (bytes: number) => {
    const buffer = history.buffer(bytes);
    history.add(buffer.subarray(0, bytes), 0);
    return buffer;
  };
  const first = written(10_000);
  const second = written(10_200);
  expect(second).toBe(first);
  expect(written(1000)).not.toBe(first);
});

test('while the network takes nothing, datagrams wait or are lost: nothing piles up', () => {
  const { clock, queue, sent, written, completed, lost } = started(1400, false);
  queue.sample(writer, written(300_000, 7));
  clock.advance(100);
  expect(sent).toHaveLength(mostUnsent);
  queue.sample(writer, written(100, 7));
  expect(lost()).toBe(1);
  for (let round = 0; round < 10; round++) {
    completed();
    clock.advance(10);
  }
  expect(sent).toHaveLength(Math.ceil(300_000 / (1400 - 120)));
});

test('several large samples at once do not exceed the rate of one', () => {
  const { clock, queue, written, bytesSent } = started(14_720);
  for (let count = 0; count < 5; count++) queue.sample(writer, written(50_000, count));
  for (let millisecond = 1; millisecond <= 4; millisecond++) {
    expect(bytesSent()).toBeLessThanOrEqual(millisecond * pacedBytes);
    clock.advance(1);
  }
});
