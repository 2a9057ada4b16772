import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Row } from '../../src/database/database.js';
import { fence, fenceOfMany, leaseOfScanner } from '../../src/database/documents/fence.js';
import {
  acquire,
  acquireStandalone,
  reclaim,
  release,
  renew,
} from '../../src/database/leases/lease-statements.js';
import { Leases } from '../../src/database/leases/leases.js';
import { owners, readFleetLoad } from '../../src/database/leases/living-workers.js';
import { respondingWith } from './responding-database.js';
import { fulfils } from './sql-condition.js';

const now = 1000;

/** A scanner of shard 3, whose lease is that of `worker` until a second from now, with epoch 7. */
const scanner = {
  'u.serial': '1',
  'u.since': 5,
  's.owner': 'worker',
  's.epoch': 7,
  's.expires_at': now + 1,
  'clock_timestamp()': now,
  ...{ $1: 'worker', $2: '1', $3: 7 },
};

describe('a save is taken', () => {
  const acquired = (facts: object) => fulfils(fence, 'WHERE', { ...scanner, ...facts });

  test('from the owner of the lease alone', () => {
    expect(acquired({})).toBe(true);
    expect(acquired({ $1: 'other' })).toBe(false);
    expect(acquired({ 's.owner': null })).toBe(false);
    expect(acquired({ $2: '2' })).toBe(false);
  });

  test('until the lease has expired, and not from then on', () => {
    expect(acquired({ 's.expires_at': now })).toBe(false);
    expect(acquired({ 's.expires_at': now - 1 })).toBe(false);
    expect(acquired({ 's.expires_at': null })).toBe(false);
  });

  test('with the epoch of the lease, and with no earlier or later one', () => {
    for (const epoch of [5, 6, 8]) expect(acquired({ $3: epoch }), `epoch ${epoch}`).toBe(false);
  });

  test('of a scanner that was added later than the lease was taken, with the epoch of when it was added', () => {
    expect(acquired({ 'u.since': 9 })).toBe(false);
    expect(acquired({ 'u.since': 9, $3: 9 })).toBe(true);
    expect(leaseOfScanner({ shard: 3, epoch: 7 }, 5)).toEqual({ shard: 3, epoch: 7 });
    expect(leaseOfScanner({ shard: 3, epoch: 7 }, 9)).toEqual({ shard: 3, epoch: 9 });
  });

  test('in the same way if it is one of many', () => {
    const listed = { 'listed.since': 5, 'listed.epoch': 7 };
    const many = (facts: object) =>
      fulfils(fenceOfMany, 's.shard = listed.shard\n      WHERE', { ...scanner, ...listed, ...facts });
    expect(many({})).toBe(true);
    expect(many({ 's.expires_at': now })).toBe(false);
    expect(many({ $1: 'other' })).toBe(false);
    for (const epoch of [6, 8]) expect(many({ 'listed.epoch': epoch }), `epoch ${epoch}`).toBe(false);
    expect(many({ 'listed.since': 9, 'listed.epoch': 9 })).toBe(true);
  });
});

describe('a shard', () => {
  const shard = {
    ...{ shard: 3, owner: 'other', epoch: 7, expires_at: now + 1, 'clock_timestamp()': now },
    ...{ $1: 'worker', $4: [6, 8] },
  };

  test.each([
    ['of a fleet', acquire, {}],
    ['of one scanner', acquireStandalone, { shard: -2, $3: -2 }],
  ])('%s is free if nobody has it, or its lease has expired', (_, statement, facts) => {
    const isFree = (more: object) => fulfils(statement, 'WHERE', { ...shard, ...facts, ...more });
    expect(isFree({})).toBe(false);
    expect(isFree({ owner: null, expires_at: null })).toBe(true);
    expect(isFree({ expires_at: now })).toBe(true);
    // The own lease is valid for a process that works with it. A process that no longer knows it acquires it anew.
    expect(isFree({ owner: 'worker', epoch: 8 })).toBe(false);
    expect(isFree({ owner: 'worker' })).toBe(true);
  });

  test('of one scanner is not for workers, nor another one for whoever wants this one', () => {
    const free = { ...shard, owner: null };
    expect(fulfils(acquire, 'WHERE', { ...free, shard: -2 })).toBe(false);
    expect(fulfils(acquireStandalone, 'WHERE', { ...free, $3: 4 })).toBe(false);
  });

  test.each([
    ['is taken back', 'WHERE'],
    ['counts no more', 'azimuth.workers WHERE'],
  ])('of an earlier process of the same place, and of no other one, %s', (_, behind) => {
    const own = { shard: 3, owner: 'earlier@a', $1: 'worker@a', $3: '@a' };
    const matches = (facts: object) => fulfils(reclaim, behind, { ...own, ...facts });
    expect(matches({})).toBe(true);
    expect(matches({ owner: 'worker@a' })).toBe(false);
    for (const owner of ['other@b', 'other', '@a-other', null])
      expect(matches({ owner }), String(owner)).toBe(false);
  });

  test('of one scanner is not taken back by a worker', () => {
    const own = { shard: -2, owner: 'earlier@a', $1: 'worker@a', $3: '@a' };
    expect(fulfils(reclaim, 'WHERE', own)).toBe(false);
  });

  test('that is taken has a new epoch, from the numbers of all shards', () => {
    for (const { text } of [acquire, acquireStandalone, reclaim])
      expect(text).toContain("SET owner = $1, epoch = nextval('azimuth.epoch_numbers')");
  });

  test.each([
    ['renewed', renew],
    ['given back', release],
  ])('is %s by its owner alone, with the epoch of its lease', (_, statement) => {
    const pair = { 's.shard': 3, 's.epoch': 7, 'held.shard': 3, 'held.epoch': 7 };
    const isHeld = (facts: object) => fulfils(statement, 'ON', { ...pair, ...facts });
    expect(isHeld({})).toBe(true);
    expect(isHeld({ 'held.epoch': 6 })).toBe(false);
    expect(isHeld({ 's.shard': 4 })).toBe(false);
    const owner = (name: string) => fulfils(statement, 'WHERE', { 's.owner': name, $1: 'worker' });
    expect([owner('worker'), owner('other')]).toEqual([true, false]);
  });
});

test('gateways ask a worker as long as its lease is good, and not of shards of single scanners', async () => {
  const { database, statements } = respondingWith();
  expect(await owners(database)).toEqual([]);
  const [statement] = statements();
  const asked = (facts: object) =>
    statement !== undefined && fulfils(statement, 'WHERE', { ...row, ...facts });
  const row = { 's.shard': 0, 's.expires_at': now + 1, 'clock_timestamp()': now };
  expect(asked({})).toBe(true);
  expect(asked({ 's.expires_at': now })).toBe(false);
  expect(asked({ 's.shard': -1 })).toBe(false);
});

test('shards are shared among the workers that live, and whoever asks', async () => {
  const { database, statements } = respondingWith();
  expect(await readFleetLoad(database, 'worker')).toEqual({ shards: 0, scanners: 0, capacities: new Map() });
  const [statement] = statements();
  const row = { owner: 'other', expires_at: now + 1, 'clock_timestamp()': now, $1: 'worker' };
  const counts = (facts: object) =>
    statement !== undefined && fulfils(statement, 'azimuth.workers WHERE', { ...row, ...facts });
  expect(counts({})).toBe(true);
  expect(counts({ expires_at: now })).toBe(false);
  expect(counts({ expires_at: now, owner: 'worker' })).toBe(true);
});

describe('a process', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const lease = { shard: 3, epoch: 7 };
  const ten = { milliseconds: 10_000 };

  test('does not count on a lease that has expired by its own clock', async () => {
    const leases = new Leases(respondingWith([lease]).database, ten);
    expect(await leases.acquire(1)).toEqual([lease]);
    vi.advanceTimersByTime(9999);
    expect([leases.of(3), leases.held]).toMatchObject([lease, [lease]]);
    expect(leases.remaining).toBeCloseTo(1);
    vi.advanceTimersByTime(1);
    expect([leases.of(3), leases.held]).toEqual([undefined, []]);
  });

  test('counts the time of a lease from before it asked, when it takes and when it renews', async () => {
    const { database, query } = respondingWith();
    const slowly = (rows: readonly Row[]) =>
      query.mockImplementationOnce(async () => {
        vi.advanceTimersByTime(2000);
        return rows;
      });
    const leases = new Leases(database, ten);
    slowly([lease]);
    await leases.acquire(1);
    expect(leases.remaining).toBeCloseTo(8000);
    slowly([{ shard: 3, renewed: true }]);
    expect(await leases.renew()).toEqual({ lost: [], skipped: [] });
    expect(leases.remaining).toBeCloseTo(8000);
    expect(leases.endingIn(7999)).toEqual([]);
    expect(leases.endingIn(8001)).toMatchObject([lease]);
  });

  test('loses what others have, and keeps until its end what could not be renewed now', async () => {
    const other = { shard: 4, epoch: 8 };
    const { database } = respondingWith([lease, other], [{ shard: 4, renewed: false }]);
    const leases = new Leases(database, ten);
    await leases.acquire(2);
    vi.advanceTimersByTime(3000);
    expect(await leases.renew()).toMatchObject({ lost: [lease], skipped: [other] });
    expect(leases.held).toMatchObject([other]);
    expect(leases.remaining).toBeCloseTo(7000);
  });

  test('takes nothing if it wants nothing', async () => {
    const { database, query } = respondingWith([lease]);
    expect(await new Leases(database, ten).acquire(0)).toEqual([]);
    expect(query).not.toHaveBeenCalled();
  });

  test('saves nothing with what it gives back, and tells of it once more if that fails', async () => {
    const { database, query } = respondingWith([lease]);
    const leases = new Leases(database, ten);
    await leases.acquire(1);
    query.mockRejectedValueOnce(new Error('away'));
    await expect(leases.release([lease])).rejects.toThrow('away');
    expect(leases.of(3)).toBeUndefined();
    query.mockClear();
    await leases.release([]);
    expect(query).toHaveBeenCalledTimes(1);
    expect(query.mock.lastCall?.[1]).toEqual([leases.owner, [3], [7]]);
  });

  test('that gives back a lease of an earlier epoch keeps the later one', async () => {
    const { database } = respondingWith([lease]);
    const leases = new Leases(database, ten);
    await leases.acquire(1);
    await leases.release([{ shard: 3, epoch: 6 }]);
    expect(leases.of(3)).toMatchObject(lease);
  });

  test('says that it goes: others no longer count on its capacity', async () => {
    const { database, query } = respondingWith();
    const leases = new Leases(database, { ...ten, worker: { url: 'http://w', capacity: 9 } });
    await leases.renew();
    expect(query.mock.lastCall?.[1]?.slice(4)).toEqual(['http://w', 9, 10_000]);
    await leases.retire();
    expect(query.mock.lastCall?.[1]?.slice(4)).toEqual(['http://w', 9, 0]);
  });
});
