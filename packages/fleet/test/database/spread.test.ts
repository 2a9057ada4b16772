import { expect, test } from 'vitest';
import { fairShare, shardOf } from '../../src/database/index.js';

test('a scanner is always in the same shard: others already store its documents by it', () => {
  expect(['23000001', '23000002', '77000001', ''].map((serial) => shardOf(serial, 128))).toEqual([
    123, 98, 107, 66,
  ]);
});

const spread = { shards: 128, scanners: 10_000, capacity: 10_000, totalCapacity: 10_000 };

test.each([
  ['one worker has all', {}, 128],
  ['three that are equal share, rounded up', { totalCapacity: 30_000 }, 43],
  ['a larger one has more', { capacity: 20_000, totalCapacity: 30_000 }, 86],
  ['nobody has more than it bears', { capacity: 1000, totalCapacity: 1000 }, 12],
  ['a very small one has one', { capacity: 1, totalCapacity: 1 }, 1],
  ['an empty fleet is shared, too', { scanners: 0, capacity: 1, totalCapacity: 2 }, 64],
  [
    'where all are just enough, each shard has somebody',
    { scanners: 14_900, capacity: 5000, totalCapacity: 15_000 },
    43,
  ],
  ['as many small ones as scanners have all shards', { scanners: 5, capacity: 1, totalCapacity: 5 }, 26],
])('%s', (_, some, expected) => {
  expect(fairShare({ ...spread, ...some })).toBe(expected);
});
