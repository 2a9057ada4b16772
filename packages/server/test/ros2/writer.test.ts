import { VirtualClock } from '@azimuth/device';
import {
  decodeMessage,
  defaultQos,
  durability,
  numberSet,
  reliability,
  type Submessage,
} from '@azimuth/telegrams/rtps';
import { expect, test } from 'vitest';
import { controlMessagesPerPeer, pacedBytes, repeatedTime } from '../../src/ros2/limits.js';
import { Budget, Peer } from '../../src/ros2/peer.js';
import { Writer } from '../../src/ros2/writer.js';

const prefix = 'f1f2f3f4f5f6f7f8f9fafbfc';
const reader = 0x104;
const id = 0x103;

/** A writer with one reliable reader, after so many samples. */
function started(depth: number, samples: number) {
  const clock = new VirtualClock();
  const sent: Submessage[] = [];
  const peer = new Peer(prefix, {
    ownPrefix: '0102030405060708090a0b0c',
    clock,
    datagramBytes: 1400,
    isLoopback: true,
    repairs: new Budget(clock, 1_000_000),
    nextCount: () => 1,
    send: (parts, _, done) => {
      sent.push(...decodeMessage(Buffer.concat(parts)).submessages);
      done(null);
    },
    sent: () => undefined,
    failed: () => undefined,
  });
  const locators = [{ address: '127.0.0.1', port: 7410 }];
  const names = { prefix, domain: 0, domainTag: '', userData: '' };
  peer.announced(
    { ...names, discovery: locators, user: locators, builtinEndpoints: 0, lease: 10_000 },
    '127.0.0.1',
  );
  peer.prove();
  const writer = new Writer({ id, depth, channel: 'user', clock });
  const qos = { ...defaultQos, reliability: reliability.reliable, durability: durability.transientLocal };
  writer.match(peer, { guid: { prefix, entity: reader }, qos });
  for (let count = 0; count < samples; count++) writer.write(new Uint8Array(8));
  let requests = 0;
  /** Returns the messages that are sent, without destinations and times, for a request of the reader. */
  const answer = (base: number, lacking: readonly number[], isFinal = false, count = requests + 1) => {
    sent.length = 0;
    requests = count;
    writer.receiveAckNack(peer, {
      kind: 'ackNack',
      reader,
      writer: id,
      missing: numberSet(base, lacking),
      count,
      isFinal,
    });
    return sent.filter(({ kind }) => !kind.startsWith('info'));
  };
  return { clock, peer, writer, sent, answer };
}

test('a reader that has everything is told so, and need not answer', () => {
  const { answer } = started(10, 3);
  expect(answer(4, [])).toMatchObject([{ kind: 'heartbeat', first: 1, last: 3, isFinal: true }]);
  expect(answer(4, [], true)).toEqual([]);
});

test('a reader that has not said yet what it lacks is asked', () => {
  const { answer } = started(10, 3);
  expect(answer(1, [])).toMatchObject([{ kind: 'heartbeat', first: 1, last: 3, isFinal: false }]);
});

test('samples that are not kept are named in one message, those together as a range', () => {
  const { answer, writer } = started(3, 300);
  const all = Array.from({ length: 256 }, (_, index) => index + 1);
  const gap = { kind: 'gap', reader, writer: id };
  expect(answer(1, all, true)).toEqual([{ ...gap, first: 1, list: numberSet(257, []) }]);
  expect(answer(5, [5, 7, 8, 20], true)).toEqual([{ ...gap, first: 5, list: numberSet(6, [7, 8, 20]) }]);
  writer.history.remove(299);
  const answers = answer(297, [297, 298, 299, 300], true);
  expect(answers.filter(({ kind }) => kind === 'gap')).toEqual([
    { ...gap, first: 297, list: numberSet(298, [299]) },
  ]);
  expect(answers.flatMap((one) => (one.kind === 'data' ? one.sequence : []))).toEqual([298, 300]);
});

test('a repeated request gets no answer, and the request of a reader that counts anew gets one', () => {
  const { answer, clock } = started(10, 3);
  const data = (sequence: number) => [
    { kind: 'data', sequence },
    { kind: 'heartbeat', last: 3 },
  ];
  expect(answer(3, [3], true, 7)).toMatchObject(data(3));
  expect(answer(3, [3], true, 7)).toEqual([]);
  expect(answer(3, [3], true, 6)).toEqual([]);
  clock.advance(repeatedTime);
  expect(answer(1, [1], true, 1)).toMatchObject(data(1));
  expect(answer(2, [2], true, 2)).toMatchObject(data(2));
});

test('what was written before a volatile reader came is not offered to it', () => {
  const { peer, writer, sent } = started(10, 3);
  const qos = { ...defaultQos, reliability: reliability.reliable };
  writer.unmatchPeer(peer);
  sent.length = 0;
  writer.match(peer, { guid: { prefix, entity: 0x204 }, qos });
  writer.write(new Uint8Array(8));
  const offered = sent.flatMap((one) => (one.kind === 'heartbeat' ? [[one.first, one.last]] : []));
  expect(offered).toEqual([
    [4, 3],
    [4, 4],
  ]);
});

test('what is on its way to a peer is offered to a reliable reader of the same peer that comes then', () => {
  const { clock, peer, writer, sent } = started(10, 3);
  const qos = { ...defaultQos, reliability: reliability.reliable };
  // The samples need two milliseconds: the fifth one is still waiting when the reader comes.
  for (let count = 0; count < 2; count++) writer.write(new Uint8Array(pacedBytes));
  sent.length = 0;
  writer.match(peer, { guid: { prefix, entity: 0x204 }, qos });
  expect(sent).toContainEqual(expect.objectContaining({ kind: 'heartbeat', first: 4, last: 5 }));
  clock.advance(100);
  sent.length = 0;
  writer.match(peer, { guid: { prefix, entity: 0x304 }, qos });
  expect(sent).toContainEqual(expect.objectContaining({ kind: 'heartbeat', first: 6, last: 5 }));
});

test('a reader that asks too often gets no answer, and the next one a second later', () => {
  const { answer, clock } = started(3, 300);
  const answers = Array.from({ length: 2 * controlMessagesPerPeer }, () => answer(1, [1, 2, 3], true).length);
  expect(answers.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(controlMessagesPerPeer);
  expect(answers.at(-1)).toBe(0);
  clock.advance(1000);
  expect(answer(1, [1, 2, 3], true)).toHaveLength(1);
});
