import { expect, test } from 'vitest';
import { fairShares, shardOf, shardsToMove } from '../../src/database/index.js';

test('a scanner is always in the same shard: others already store its documents by it', () => {
  expect(['23000001', '23000002', '77000001', ''].map((serial) => shardOf(serial, 128))).toEqual([
    123, 98, 107, 66,
  ]);
});

/** Returns the shares of workers with these capacities, which are named in this order. */
function sharesOf(capacities: readonly number[], some: { shards?: number; scanners?: number } = {}) {
  const named = new Map(capacities.map((capacity, index) => [String.fromCharCode(97 + index), capacity]));
  return [...fairShares({ shards: 128, scanners: 10_000, ...some, capacities: named }).values()];
}

test.each([
  ['one worker has all', [10_000], {}, [128]],
  [
    'three that are equal share, and the first ones have one more',
    [10_000, 10_000, 10_000],
    {},
    [43, 43, 42],
  ],
  ['a larger one has more', [20_000, 10_000], {}, [85, 43]],
  ['nobody has more than it can run', [1000], {}, [12]],
  ['a very small one has one, if all together are too small', [1, 1000], {}, [1, 12]],
  ['a very small one has none, if others can run all', [1, 10_000], {}, [0, 128]],
  ['an empty fleet is shared, too', [1, 1], { scanners: 0 }, [64, 64]],
  [
    'where all are just enough, each shard has somebody',
    [5000, 5000, 5000],
    { scanners: 14_900 },
    [43, 43, 42],
  ],
  ['as many small ones as scanners have all shards', [1, 1, 1, 1, 1], { scanners: 5 }, [26, 26, 26, 25, 25]],
  [
    'where there are more workers than shards, some have none',
    [9, 9, 9],
    { shards: 2, scanners: 9 },
    [1, 1, 0],
  ],
])('%s', (_, capacities, some, expected) => {
  expect(sharesOf(capacities, some)).toEqual(expected);
});

test('all workers reckon the same, in whichever order they read the workers', () => {
  const capacities = Array.from({ length: 12 }, (_, index): [string, number] => [`w${index}`, 100]);
  const spread = { shards: 128, scanners: 1000 };
  const one = fairShares({ ...spread, capacities: new Map(capacities) });
  const other = fairShares({ ...spread, capacities: new Map(capacities.toReversed()) });
  for (const [owner, share] of one) expect(other.get(owner), owner).toBe(share);
});

/** Workers that acquire and release shards, each by its own knowledge, until none of them moves any. */
class SomeWorkers {
  readonly shards: number;
  readonly held = new Map<string, number>();
  readonly #capacities = new Map<string, number>();
  /** Number of shards that were released to others. */
  released = 0;

  constructor(shards: number) {
    this.shards = shards;
  }

  join(owner: string, capacity: number): void {
    this.held.set(owner, 0);
    this.#capacities.set(owner, capacity);
  }

  leave(owner: string): void {
    this.held.delete(owner);
    this.#capacities.delete(owner);
  }

  get free(): number {
    return this.shards - [...this.held.values()].reduce((sum, held) => sum + held, 0);
  }

  /** Returns the part of a worker by its capacity, with fractions. */
  partOf(owner: string): number {
    const total = [...this.#capacities.values()].reduce((sum, capacity) => sum + capacity, 0);
    return (this.shards * (this.#capacities.get(owner) ?? 0)) / total;
  }

  /** Each worker moves once. @returns whether any has moved a shard */
  step(): boolean {
    const spread = { shards: this.shards, scanners: 100, capacities: this.#capacities };
    let hasMoved = false;
    for (const [owner, held] of this.held) {
      const move = Math.min(shardsToMove(spread, owner, held), 16, this.free);
      this.held.set(owner, held + move);
      this.released += Math.max(0, -move);
      hasMoved ||= move !== 0;
    }
    return hasMoved;
  }

  moveUntilStable(): void {
    for (let steps = 0; this.step(); steps++) expect(steps).toBeLessThan(this.shards);
    expect(this.free).toBe(0);
    for (const [owner, held] of this.held) expect(Math.abs(held - this.partOf(owner))).toBeLessThan(1);
  }
}

/** Returns names in an order of their own, like the names of processes. */
const nameOf = (number: number) => `${(number * 7919) % 101} ${number}`;

test('workers that come one by one get their parts, and no more shards move than theirs', () => {
  const workers = new SomeWorkers(128);
  for (let count = 1; count <= 40; count++) {
    workers.join(nameOf(count), 1000);
    const before = workers.released;
    workers.moveUntilStable();
    expect(workers.released - before).toBe(count === 1 ? 0 : workers.held.get(nameOf(count)));
  }
});

test('workers that leave one by one leave their shards to the others, and no other shards move', () => {
  const workers = new SomeWorkers(128);
  for (let count = 1; count <= 40; count++) workers.join(nameOf(count), 1000);
  workers.moveUntilStable();
  for (let count = 1; count < 40; count++) {
    workers.leave(nameOf(count));
    workers.moveUntilStable();
    expect(workers.released).toBe(0);
  }
});

test('workers of different capacities settle within a shard of their parts, whoever comes and leaves', () => {
  const workers = new SomeWorkers(128);
  const capacityOf = (number: number) => 100 + ((number * 37) % 900);
  for (let count = 1; count <= 40; count++) {
    const [before, given] = [new Map(workers.held), workers.released];
    workers.join(nameOf(count), capacityOf(count));
    workers.moveUntilStable();
    // In addition to the shards of the new one, each of the others may change by one.
    expect(workers.released - given).toBeLessThanOrEqual(
      (workers.held.get(nameOf(count)) ?? 0) + before.size,
    );
  }
  for (let count = 1; count < 40; count++) {
    workers.leave(nameOf((count * 17) % 41));
    workers.moveUntilStable();
  }
});
