import { frameOf, nameOf, namespaceOf } from '@azimuth/device/ros2';
import { defaultQos, durability, reliability } from '@azimuth/telegrams/rtps';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ReceivedNumbers } from '../../src/ros2/peer.js';
import { incompatibility, offeredQos } from '../../src/ros2/subscriptions.js';
import { ddsTopic } from '../../src/ros2/topics.js';

const reliable = { ...defaultQos, reliability: reliability.reliable };

test('best-effort and reliable readers are served', () => {
  expect(incompatibility(offeredQos(false), defaultQos)).toBeUndefined();
  expect(incompatibility(offeredQos(false), reliable)).toBeUndefined();
  expect(
    incompatibility(offeredQos(true), { ...reliable, durability: durability.transientLocal }),
  ).toBeUndefined();
});

test.each([
  ['durability', { durability: durability.transientLocal }],
  ['deadline', { deadline: 1000 }],
  ['liveliness', { liveliness: 1 }],
  ['liveliness', { livelinessLease: 5000 }],
  ['ownership', { ownership: 1 }],
  ['destination order', { destinationOrder: 1 }],
  ['presentation', { presentation: 1 }],
  ['presentation', { isCoherent: true }],
  ['data representation', { representations: [2] }],
  ['partition', { partitions: ['left'] }],
])('a reader that asks for another %s is not served', (policy, change) => {
  expect(incompatibility(offeredQos(false), { ...reliable, ...change })).toBe(policy);
});

test.each([
  ['both versions of CDR', { representations: [2, 0] }],
  ['the partition without a name', { partitions: [''] }],
  ['every partition', { partitions: ['left', '*'] }],
])('a reader that accepts %s is served', (_, change) => {
  expect(incompatibility(offeredQos(false), { ...reliable, ...change })).toBeUndefined();
});

test.each([
  ['', ''],
  [' ', ''],
  ['left', '/left'],
  ['/line 2//left/', '/line_2/left'],
  ['3d', '/n3d'],
  ['/ /', ''],
  ['ä/left', '/left'],
  ['a__b-c', '/a_b_c'],
  ['Straße', '/Stra_e'],
])('the namespace %j becomes %j', (text, namespace) => {
  expect(namespaceOf(text)).toBe(namespace);
});

test('every text makes a namespace and a name that ROS 2 permits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 64 }), (text) => {
      expect(namespaceOf(text)).toMatch(/^(\/[A-Za-z][A-Za-z0-9_]*)*$/);
      expect(nameOf(`n${text}`)).toMatch(/^[A-Za-z_][A-Za-z0-9_]*$/);
    }),
  );
  expect(ddsTopic('/left', 'imu/data')).toBe('rt/left/imu/data');
  expect(frameOf(' //laser ')).toBe('laser');
});

test('samples that came are known, whatever order they come in, and those that lack are asked for', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 100 }), { maxLength: 60 }), (sequences) => {
      const received = new ReceivedNumbers();
      for (const sequence of sequences) {
        expect(received.accept(sequence)).toBe(true);
        expect(received.accept(sequence)).toBe(false);
      }
      const { base, members } = received.missingUpTo(100);
      const lacking = Array.from({ length: 100 }, (_, index) => index + 1).filter(
        (sequence) => !sequences.includes(sequence),
      );
      expect(base).toBe(lacking[0] ?? 101);
      expect(members).toEqual(lacking);
    }),
  );
});

test('samples that will not come are not asked for, and no number makes it work long', () => {
  const received = new ReceivedNumbers();
  received.skip(3, 2 ** 52);
  expect(received.missingUpTo(10).members).toEqual([1, 2]);
  received.skip(1, 3);
  received.startAt(2 ** 40);
  expect(received.missingUpTo(2 ** 52).members).toHaveLength(256);
  expect(received.accept(2 ** 50)).toBe(false);
  expect(received.accept(2 ** 40)).toBe(true);
  expect(received.base).toBe(2 ** 40 + 1);
});
