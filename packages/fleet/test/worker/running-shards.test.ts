import { readyScene } from '@azimuth/simulation/world';
import { expect, test } from 'vitest';
import type { ScannerFacts } from '../../src/scanners/scanner-facts.js';
import { RunningShards } from '../../src/worker/running-shards.js';

const silent = { info() {}, warn() {}, error() {} };
const scene = readyScene('empty-room');
const lease = { shard: 3, epoch: 7 };

function scanner(serial: string, more: Partial<ScannerFacts> = {}): ScannerFacts {
  return { serial, group: 'hall', variant: 'full', scene, seed: 0, parameters: {}, ...more };
}

/** A version of the fleet. @param wanted scanners that were added with the first version */
function version(number: number, ...wanted: readonly ScannerFacts[]) {
  return added(1, number, ...wanted);
}

/** @param since the epoch at which they were added */
function added(since: number, number: number, ...wanted: readonly ScannerFacts[]) {
  return { version: number, inShard: new Map([[3, wanted.map((facts) => ({ facts, since }))]]) };
}

/** Shards of a fleet that records power-ons and power-offs, and fails while it is told to. */
function someShards() {
  const on = new Map<string, ScannerFacts>();
  const done: string[] = [];
  const state = { fails: false, held: lease, adding: Promise.resolve() };
  const fleet = {
    async add(scanners: readonly ScannerFacts[]) {
      await state.adding;
      if (state.fails) throw new Error('a power-on could not be counted');
      for (const facts of scanners) {
        on.set(facts.serial, facts);
        done.push(`+${facts.serial}`);
      }
    },
    async remove(serials: readonly string[], until?: Promise<void>) {
      await until;
      for (const serial of serials) if (on.delete(serial)) done.push(`-${serial}`);
    },
  };
  const [ended, warned]: [string[], string[]] = [[], []];
  const log = { ...silent, warn: (message: string) => void warned.push(message) };
  const shards = new RunningShards({
    ...{ fleet, log, leaseOf: () => state.held },
    ended: (serials) => void ended.push(...serials),
  });
  return { shards, on, done, ended, warned, state };
}

test('scanners that could not be switched on are switched on by the next try of the same version', async () => {
  const { shards, on, state } = someShards();
  state.fails = true;
  await expect(shards.run(lease, version(1, scanner('1')))).rejects.toThrow('could not be counted');
  expect(shards.size).toBe(0);
  state.fails = false;
  await shards.run(lease, version(1, scanner('1')));
  expect([...on.keys()]).toEqual(['1']);
  expect(shards.size).toBe(1);
});

test('what failed while a version was followed is made good: new, changed and removed scanners, and all others run on', async () => {
  const { shards, on, done, state } = someShards();
  await shards.run(lease, version(1, scanner('1'), scanner('2'), scanner('3')));
  state.fails = true;
  const next = [scanner('1'), scanner('2', { group: 'gate' }), scanner('4')];
  await expect(shards.run(lease, version(2, ...next))).rejects.toThrow();
  state.fails = false;
  await shards.run(lease, version(2, ...next));
  expect([...on.values()]).toEqual(next);
  expect(done).toEqual(['+1', '+2', '+3', '-2', '-3', '+2', '+4']);
});

test('after a version that failed, the next one finds what runs, and not what was wanted', async () => {
  const { shards, on, state } = someShards();
  await shards.run(lease, version(1, scanner('1'), scanner('2')));
  state.fails = true;
  const wanted = [scanner('1'), scanner('2', { group: 'gate' }), scanner('3')];
  await expect(shards.run(lease, version(2, ...wanted))).rejects.toThrow();
  state.fails = false;
  await shards.run(lease, version(3, ...wanted));
  expect([...on.values()]).toEqual(wanted);
});

test('a scanner that was removed and added again by versions that nobody has seen here is started anew', async () => {
  const { shards, done } = someShards();
  await shards.run(lease, version(1, scanner('1')));
  await shards.run(lease, added(1, 2, scanner('1')));
  expect(done).toEqual(['+1']);
  await shards.run(lease, added(9, 4, scanner('1')));
  expect(done).toEqual(['+1', '-1', '+1']);
});

test('a version that is followed is not looked at again', async () => {
  const { shards, done } = someShards();
  await shards.run(lease, version(1, scanner('1')));
  await shards.run(lease, version(1));
  expect(done).toEqual(['+1']);
  await shards.run(lease, version(2));
  expect(done).toEqual(['+1', '-1']);
});

test('a shard that was taken anew starts its scanners anew: those of the earlier lease save nothing', async () => {
  const { shards, done, state } = someShards();
  await shards.run(lease, version(1, scanner('1')));
  state.held = { shard: 3, epoch: 9 };
  await shards.stop({ shard: 3, epoch: 9 }, 'an old message');
  await shards.run(state.held, version(1, scanner('1')));
  expect(done).toEqual(['+1', '-1', '+1']);
});

test('scanners whose lease ended while they were switched on are switched off', async () => {
  const { shards, on, state } = someShards();
  state.held = { shard: 3, epoch: 8 };
  await shards.run(lease, version(1, scanner('1')));
  expect([...on.keys()]).toEqual([]);
  expect(shards.size).toBe(0);
});

test('requests of scanners that are handed over are waited for as long as they may take, and then broken off', async () => {
  const { shards, done } = someShards();
  await shards.run(lease, version(1, scanner('1'), scanner('2')));
  await shards.stop(lease, undefined, 1);
  expect(done).toEqual(['+1', '+2', '-1', '-2']);
  expect(shards.size).toBe(0);
});

test('a lease of another epoch stops nothing, nor does one that was stopped already', async () => {
  const { shards, on, done } = someShards();
  await shards.run(lease, version(1, scanner('1')));
  await shards.stop({ ...lease, epoch: 6 }, 'an old message');
  await shards.stop({ ...lease, shard: 4 }, 'of another shard');
  expect([...on.keys()]).toEqual(['1']);
  await shards.stop(lease);
  await shards.stop(lease);
  expect(done).toEqual(['+1', '-1']);
});

test('those whose scanners have ended are told, and scanners that nobody wanted to stop are logged', async () => {
  const { shards, ended, warned } = someShards();
  await shards.run(lease, version(1, scanner('1'), scanner('2')));
  await shards.run(lease, version(2, scanner('2')));
  expect([ended, warned]).toEqual([['1'], []]);
  await shards.stop(lease, 'its lease has ended');
  expect(ended).toEqual(['1', '2']);
  expect(warned).toEqual(['Scanners were stopped']);
});

test('requests of scanners that are handed over are waited for, until the lease is lost', async () => {
  const { shards, done } = someShards();
  await shards.run(lease, version(1, scanner('1')));
  const handedOver = shards.stop(lease, undefined, 600_000);
  await Promise.resolve();
  expect(done).toEqual(['+1']);
  await shards.stop(lease, 'another process has its lease');
  expect(done).toEqual(['+1', '-1']);
  await handedOver;
});

test('scanners that run are stopped at once, also while others of their shard are being switched on', async () => {
  const { shards, done, state } = someShards();
  await shards.run(lease, version(1, scanner('1')));
  let switchOn = () => {};
  state.adding = new Promise((resolve) => {
    switchOn = resolve;
  });
  const followed = shards.run(lease, version(2, scanner('1'), scanner('2')));
  await new Promise(setImmediate);
  const stopped = shards.stop(lease, 'its lease could not be renewed in time');
  await new Promise(setImmediate);
  expect(done).toEqual(['+1', '-1']);
  switchOn();
  await Promise.all([followed, stopped]);
  expect(done).toEqual(['+1', '-1', '+2', '-2']);
});
