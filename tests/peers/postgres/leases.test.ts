import {
  Leases,
  limitsOfLeases,
  migrate,
  ownerOf,
  owners,
  ScannerInUse,
  ScannersRunAlone,
  shardsChannel,
  shardsToMove,
} from '@azimuth/fleet/database';
import { LoneStorage } from '@azimuth/fleet/worker';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { FailingProxy } from '../../support/failing-proxy.js';
import { PostgresCluster } from '../../support/postgres-cluster.js';
import { until } from '../../support/waiting.js';
import {
  fleetIn,
  holding,
  isWaiting,
  key,
  nameIn,
  open,
  prepared,
  SomeWorker,
  serialsFrom,
  silent,
} from './some-fleet.js';

let cluster: PostgresCluster;

beforeAll(async () => {
  cluster = await PostgresCluster.start();
});

afterAll(() => cluster.remove());

const serials = serialsFrom(23_000_001, 12);
const [first = '', second = ''] = serials;

function fleet(shards = 8): Promise<string> {
  return fleetIn(cluster, serials, shards);
}

const worker = (capacity: number, name: string) => ({
  milliseconds: 60_000,
  worker: { url: `http://${name}`, capacity },
});

test('processes that take shards at the same time get different ones', async () => {
  const database = open(await fleet(128));
  const many = Array.from({ length: 6 }, () => new Leases(database, { milliseconds: 60_000 }));
  const taken = await Promise.all(many.map((leases) => leases.take(30)));
  const shards = taken.flat().map(({ shard }) => shard);
  expect(new Set(shards).size).toBe(shards.length);
  const rest = await many[0]?.take(1000);
  expect(shards.length + (rest?.length ?? 0)).toBe(128);
  expect(await many[1]?.take(1)).toEqual([]);
  await database.close();
});

test('all leases are renewed in one statement, which says which ones are lost', async () => {
  const url = await fleet();
  const database = open(url);
  const leases = new Leases(database, { milliseconds: 60_000 });
  await leases.take(8);
  await cluster.sql(
    `UPDATE azimuth.shards SET expires_at = clock_timestamp() + interval '1 s' WHERE shard < 6;
    UPDATE azimuth.shards SET owner = 'other' WHERE shard = 6;
    UPDATE azimuth.shards SET epoch = nextval('azimuth.epoch_numbers') WHERE shard = 7`,
    nameIn(url),
  );
  const before = leases.remaining ?? 0;
  const { lost } = await leases.renew();
  expect(lost.map(({ shard }) => shard).toSorted()).toEqual([6, 7]);
  expect(leases.held.map(({ shard }) => shard).toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
  expect(leases.of(6)).toBeUndefined();
  expect(leases.remaining).toBeGreaterThan(before);
  expect(
    await cluster.sql(
      `SELECT count(*) FROM azimuth.shards WHERE shard < 6 AND expires_at > clock_timestamp() + interval '30 s'`,
      nameIn(url),
    ),
  ).toBe('6');
  await database.close();
});

test('a lease whose row somebody has locked is not lost, is good as long as before, and is renewed afterwards', async () => {
  const url = await fleet();
  const database = open(url);
  const leases = new Leases(database, { milliseconds: 60_000 });
  const taken = await leases.take(8);
  const locking = await holding(url, 'SELECT FROM azimuth.shards WHERE shard = 3 FOR SHARE');
  const third = taken.filter(({ shard }) => shard === 3);
  expect(await leases.renew()).toMatchObject({ lost: [], skipped: third });
  expect(leases.held.length).toBe(8);
  const ends = leases.remaining ?? 0;
  await locking.end();
  expect(await leases.renew()).toEqual({ lost: [], skipped: [] });
  expect(leases.remaining).toBeGreaterThan(ends);
  await database.close();
});

test('what a process has given up, and the database still gives it, is taken again at once, with a new epoch', async () => {
  const url = await fleet();
  const database = open(url);
  const leases = new Leases(database, { milliseconds: 60_000 });
  const other = new Leases(database, { milliseconds: 60_000 });
  const taken = await leases.take(8);
  // As after a renewal that the database has done when it was given up here.
  const given = taken.slice(0, 3);
  leases.forget(given.map(({ shard }) => shard));
  expect(await other.take(8)).toEqual([]);
  const again = await leases.take(8);
  expect(again.map(({ shard }) => shard).toSorted()).toEqual(given.map(({ shard }) => shard).toSorted());
  for (const { shard, epoch } of again)
    expect(epoch).toBeGreaterThan(given.find((one) => one.shard === shard)?.epoch ?? epoch);
  expect(leases.held.length).toBe(8);
  expect(await leases.take(8)).toEqual([]);
  await database.close();
});

test('a lease that was given back and taken anew while a renewal was under way is not lost', async () => {
  const url = await fleet();
  const database = open(url);
  const leases = new Leases(database, worker(10, 'one'));
  const taken = await leases.take(8);
  const locking = await holding(url, 'LOCK TABLE azimuth.workers IN EXCLUSIVE MODE');
  const renewing = leases.renew();
  await until(() => isWaiting(cluster, url, 'WITH held%'));
  await leases.release(taken.slice(0, 2));
  const [anew] = await leases.take(1);
  await locking.end();
  expect((await renewing).lost).toEqual([]);
  expect(leases.of(anew?.shard ?? -1)).toMatchObject({ epoch: anew?.epoch });
  expect(leases.held.length).toBe(7);
  await database.close();
});

test('a process that could not renew in time has no lease by its own clock, before others may take it', async () => {
  const database = open(await fleet());
  const leases = new Leases(database, { milliseconds: 150 });
  const other = new Leases(database, { milliseconds: 60_000 });
  await leases.take(8);
  await until(async () => {
    const taken = await other.take(8);
    if (taken.length === 0) return false;
    expect(leases.held).toEqual([]);
    return true;
  });
  await database.close();
});

test('a single scanner gives its lease up before others may take it, even while a renewal hangs', async () => {
  const url = await cluster.database();
  const database = open(url);
  await migrate(database);
  const watching = open(url);
  let lose: (why: string) => void = () => undefined;
  const lost = new Promise<string>((done) => {
    lose = done;
  });
  const storage = await LoneStorage.open({
    ...{ database, forLease: open(url), serial: first, keys: [key], log: silent },
    leaseMilliseconds: 2000,
    lost: lose,
  });
  const locking = await holding(url, 'LOCK TABLE azimuth.shards IN EXCLUSIVE MODE');
  expect(await lost).toContain('could not be renewed');
  const lease = {
    name: 'lease',
    text: 'SELECT expires_at > clock_timestamp() AS good FROM azimuth.shards WHERE owner IS NOT NULL',
  };
  expect(await watching.query(lease, [])).toEqual([{ good: true }]);
  await locking.end();
  await storage.close();
  await watching.close();
});

test('a renewal that gets no answer does not cost the lease: the next one goes over a new connection', async () => {
  const url = await cluster.database();
  const database = open(url);
  await migrate(database);
  const proxy = await FailingProxy.to(cluster.port);
  const lost: string[] = [];
  const milliseconds = 4000;
  const storage = await LoneStorage.open({
    ...{ database, serial: first, keys: [key], log: silent, leaseMilliseconds: milliseconds },
    forLease: open(url.replace(`:${cluster.port}`, `:${proxy.port}`), limitsOfLeases(milliseconds)),
    lost: (why) => lost.push(why),
  });
  proxy.silence();
  // It has been renewed when it is good although it would have ended.
  const renewed =
    'SELECT count(*) FROM azimuth.shards s JOIN azimuth.epochs e USING (epoch) ' +
    `WHERE expires_at > began_at + interval '${milliseconds} ms' AND expires_at > clock_timestamp()`;
  await until(async () => lost.length > 0 || (await cluster.sql(renewed, nameIn(url))) === '1');
  expect(lost).toEqual([]);
  await storage.close();
  await proxy.close();
});

test('shards that are given back can be taken at once, and those who wait are told', async () => {
  const url = await fleet();
  const database = open(url);
  const leases = new Leases(database, { milliseconds: 60_000 });
  const other = new Leases(database, { milliseconds: 60_000 });
  const taken = await leases.take(8);
  let told = 0;
  const end = database.listen(shardsChannel, () => told++);
  await until(() => told === 1);
  await leases.release(taken.slice(0, 3));
  await until(() => told === 2);
  expect((await other.take(8)).length).toBe(3);
  expect(leases.held.length).toBe(5);
  await leases.leave();
  expect((await other.take(8)).length).toBe(5);
  end();
  await database.close();
});

test('workers share by capacity, and move few at a time', async () => {
  const database = open(await fleet(12));
  const one = new Leases(database, worker(100, 'one'));
  await one.renew();
  expect(await shardsToMove(database, one)).toBe(12);
  await one.take(12);
  const two = new Leases(database, worker(200, 'two'));
  await two.renew();
  expect(await shardsToMove(database, two)).toBe(8);
  // Those that it is giving already count.
  expect(await shardsToMove(database, one, () => one.held.length - 7)).toBe(-1);
  for (let left = 12; left > 4; left -= 2) {
    expect(await shardsToMove(database, one)).toBe(-2);
    await one.release(one.held.slice(0, 2));
    await two.take(await shardsToMove(database, two));
  }
  expect([await shardsToMove(database, one), await shardsToMove(database, two)]).toEqual([0, 0]);
  expect([one.held.length, two.held.length]).toEqual([4, 8]);
  // One that is about to leave is counted on no more, and found as long as it has leases.
  await two.retire();
  expect(await shardsToMove(database, one)).toBe(8);
  expect((await owners(database)).filter(({ owner }) => owner === two.owner)).toHaveLength(8);
  await two.leave();
  expect(await shardsToMove(database, one)).toBe(8);
  await database.close();
});

test('shards that are given back one by one take few statements: what comes meanwhile goes together', async () => {
  const database = open(await fleet(12));
  const leases = new Leases(database);
  await leases.take(12);
  const query = vi.spyOn(database, 'query');
  const [first, ...others] = leases.held.map((lease) => () => leases.release([lease]));
  const released = [first?.()];
  await until(() => query.mock.calls.length === 1);
  released.push(...others.map((release) => release()));
  await Promise.all(released);
  expect(query).toHaveBeenCalledTimes(2);
  query.mockRestore();
  expect(await new Leases(database).take(12)).toHaveLength(12);
  await database.close();
});

test('what could not be given back is given back the next time, also when the process leaves', async () => {
  const database = open(await fleet(2));
  const leases = new Leases(database);
  const [one, two] = await leases.take(2);
  if (one === undefined || two === undefined) throw new Error('there are two');
  const query = vi.spyOn(database, 'query');
  query.mockRejectedValueOnce(new Error('a lock'));
  await expect(leases.release([one])).rejects.toThrow('a lock');
  expect(await new Leases(database).take(2)).toEqual([]);
  await leases.release([]);
  expect(await new Leases(database).take(2)).toMatchObject([{ shard: one.shard }]);
  query.mockRejectedValueOnce(new Error('a lock'));
  await expect(leases.release([two])).rejects.toThrow('a lock');
  await leases.leave();
  expect(await new Leases(database).take(2)).toMatchObject([{ shard: two.shard }]);
  query.mockRestore();
  await database.close();
});

test('a lease that was lost and taken anew is not given back with the lost one', async () => {
  const database = open(await fleet(1));
  const leases = new Leases(database);
  const [lost] = await leases.take(1);
  leases.forget([lost?.shard ?? -1]);
  const [taken] = await leases.take(1);
  await leases.release(lost === undefined ? [] : [lost]);
  expect(leases.held).toMatchObject([{ epoch: taken?.epoch }]);
  expect(await new Leases(database).take(1)).toEqual([]);
  await database.close();
});

test('the owner of a scanner is known as long as its lease lasts', async () => {
  const url = await fleet();
  const database = open(url);
  const leases = new Leases(database, worker(10, 'one:8000'));
  expect(await ownerOf(database, first)).toBeUndefined();
  await leases.renew();
  await leases.take(8);
  const owner = await ownerOf(database, first);
  expect(leases.of(owner?.shard ?? -1)?.epoch).toBe(owner?.epoch);
  expect(owner).toMatchObject({ owner: leases.owner, url: 'http://one:8000' });
  expect((await owners(database)).map(({ shard }) => shard)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(await ownerOf(database, 'unknown')).toBeUndefined();
  await cluster.sql('UPDATE azimuth.shards SET expires_at = clock_timestamp()', nameIn(url));
  expect(await ownerOf(database, first)).toBeUndefined();
  expect(await owners(database)).toEqual([]);
  await database.close();
});

test('a scanner without a fleet is run by one process at a time', async () => {
  const url = await fleet();
  const database = open(url);
  const one = new Leases(database, { milliseconds: 60_000 });
  const other = new Leases(database, { milliseconds: 60_000 });
  const lease = await one.takeAlone('77000001');
  expect(lease.shard).toBeLessThan(0);
  await expect(other.takeAlone('77000001')).rejects.toThrow(`run by ${one.owner}`);
  expect(await one.renew()).toEqual({ lost: [], skipped: [] });
  await one.leave();
  const next = await other.takeAlone('77000001');
  expect(next.shard).toBe(lease.shard);
  expect(next.epoch).toBeGreaterThan(lease.epoch);
  // Workers do not take it.
  await cluster.sql('UPDATE azimuth.shards SET owner = NULL', nameIn(url));
  expect((await one.take(100)).map(({ shard }) => shard).toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  await database.close();
});

test('a scanner of a fleet is not run alone, and one that is run alone does not join a fleet', async () => {
  const url = await fleet();
  const database = open(url);
  const alone = new Leases(database, { milliseconds: 60_000 });
  await expect(alone.takeAlone(first)).rejects.toThrow(ScannerInUse);
  await (await prepared(url, serials.slice(1))).close();
  await alone.takeAlone(first);
  await expect(prepared(url, serials)).rejects.toThrow(ScannersRunAlone);
  await alone.leave();
  await (await prepared(url, serials)).close();
  await expect(alone.takeAlone(first)).rejects.toThrow('belongs to the fleet');
  await expect(alone.takeAlone(second)).rejects.toThrow('belongs to the fleet');
  await database.close();
});

test('documents go with a scanner from a fleet to a process of its own, and back', async () => {
  const url = await fleet();
  const worker = await SomeWorker.on(url);
  const old = worker.store.unit(first);
  await old.write('a.json', Buffer.from('of the fleet'));
  await (await prepared(url, serials.slice(1))).close();
  const alone = await SomeWorker.alone(url, first);
  const storage = alone.store.unit(first);
  expect(String(await storage.read('a.json'))).toBe('of the fleet');
  await storage.write('a.json', Buffer.from('of its own'));
  await expect(old.write('a.json', Buffer.from('late'))).rejects.toThrow('does not have the lease');
  await alone.leases.leave();
  await (await prepared(url, serials)).close();
  await expect(storage.write('a.json', Buffer.from('late'))).rejects.toThrow('does not have the lease');
  await worker.leases.leave();
  await worker.leases.take(100);
  const again = worker.store.unit(first);
  expect(String(await again.read('a.json'))).toBe('of its own');
  await again.write('a.json', Buffer.from('of the fleet again'));
  expect(String(await again.read('a.json'))).toBe('of the fleet again');
  await Promise.all([worker.close(), alone.close()]);
});
