import {
  Leases,
  limitsOfLeases,
  migrate,
  NotTheOwner,
  owners,
  ScannerInUse,
  ScannersRunStandalone,
  shardsChannel,
} from '@azimuth/fleet/database';
import { StandaloneStorage } from '@azimuth/fleet/worker';
import { FailingProxy } from '@azimuth/test-support/failing-proxy';
import { PostgresCluster } from '@azimuth/test-support/postgres-cluster';
import { until } from '@azimuth/test-support/waiting';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  fileHash,
  fleetIn,
  hashOf,
  holding,
  isWaiting,
  key,
  leasesIn,
  nameIn,
  open,
  prepared,
  SomeWorker,
  serialsFrom,
  silent,
  textOf,
  toMove,
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

const worker = (capacity: number, name: string) => ({ url: `http://${name}`, capacity });

test('processes that take shards at the same time get different ones', async () => {
  const database = open(await fleet(128));
  const many = Array.from({ length: 6 }, () => leasesIn(database));
  const taken = await Promise.all(many.map((leases) => leases.acquire(30)));
  const shards = taken.flat().map(({ shard }) => shard);
  expect(new Set(shards).size).toBe(shards.length);
  const rest = await many[0]?.acquire(1000);
  expect(shards.length + (rest?.length ?? 0)).toBe(128);
  expect(await many[1]?.acquire(1)).toEqual([]);
  await database.close();
});

test('all leases are renewed in one statement, which says which ones are lost', async () => {
  const url = await fleet();
  const database = open(url);
  const leases = leasesIn(database);
  await leases.acquire(8);
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
  const leases = leasesIn(database);
  const taken = await leases.acquire(8);
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
  const leases = leasesIn(database);
  const other = leasesIn(database);
  const taken = await leases.acquire(8);
  // As after a renewal that the database has done when it was given up here.
  const given = taken.slice(0, 3);
  leases.forget(given.map(({ shard }) => shard));
  expect(await other.acquire(8)).toEqual([]);
  const again = await leases.acquire(8);
  expect(again.map(({ shard }) => shard).toSorted()).toEqual(given.map(({ shard }) => shard).toSorted());
  for (const { shard, epoch } of again)
    expect(epoch).toBeGreaterThan(given.find((one) => one.shard === shard)?.epoch ?? epoch);
  expect(leases.held.length).toBe(8);
  expect(await leases.acquire(8)).toEqual([]);
  await database.close();
});

test('a lease that was given back and taken anew while a renewal was under way is not lost', async () => {
  const url = await fleet();
  const database = open(url);
  const leases = leasesIn(database, worker(10, 'one'));
  const taken = await leases.acquire(8);
  const locking = await holding(url, 'LOCK TABLE azimuth.workers IN EXCLUSIVE MODE');
  const renewing = leases.renew();
  await until(() => isWaiting(cluster, url, 'WITH held%'));
  await leases.release(taken.slice(0, 2));
  const [anew] = await leases.acquire(1);
  await locking.end();
  expect((await renewing).lost).toEqual([]);
  expect(leases.of(anew?.shard ?? -1)).toMatchObject({ epoch: anew?.epoch });
  expect(leases.held.length).toBe(7);
  await database.close();
});

test('a process that could not renew in time has no lease by its own clock, before others may take it', async () => {
  const database = open(await fleet());
  const leases = new Leases(database, { milliseconds: 150 });
  const other = leasesIn(database);
  await leases.acquire(8);
  await until(async () => {
    const taken = await other.acquire(8);
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
  const storage = await StandaloneStorage.open({
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
  const storage = await StandaloneStorage.open({
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
  const leases = leasesIn(database);
  const other = leasesIn(database);
  const taken = await leases.acquire(8);
  let told = 0;
  const end = database.listen(shardsChannel, () => told++);
  await until(() => told === 1);
  await leases.release(taken.slice(0, 3));
  await until(() => told === 2);
  expect((await other.acquire(8)).length).toBe(3);
  expect(leases.held.length).toBe(5);
  await leases.leave();
  expect((await other.acquire(8)).length).toBe(5);
  end();
  await database.close();
});

test('workers share by capacity, and move few at a time', async () => {
  const database = open(await fleet(12));
  const one = leasesIn(database, worker(100, 'one'));
  await one.renew();
  expect(await toMove(database, one)).toBe(12);
  await one.acquire(12);
  const two = leasesIn(database, worker(200, 'two'));
  await two.renew();
  expect(await toMove(database, two)).toBe(8);
  // Those that it is giving already count.
  expect(await toMove(database, one, one.held.length - 7)).toBe(-1);
  for (let left = 12; left > 4; left -= 2) {
    expect(await toMove(database, one)).toBe(-2);
    await one.release(one.held.slice(0, 2));
    await two.acquire(await toMove(database, two));
  }
  expect([await toMove(database, one), await toMove(database, two)]).toEqual([0, 0]);
  expect([one.held.length, two.held.length]).toEqual([4, 8]);
  // One that is about to leave is counted on no more, and found as long as it has leases.
  await two.retire();
  expect(await toMove(database, one)).toBe(8);
  expect((await owners(database)).filter(({ owner }) => owner === two.owner)).toHaveLength(8);
  await two.leave();
  expect(await toMove(database, one)).toBe(8);
  await database.close();
});

test('shards that are given back one by one take few statements: what comes meanwhile goes together', async () => {
  const database = open(await fleet(12));
  const leases = leasesIn(database);
  await leases.acquire(12);
  const query = vi.spyOn(database, 'query');
  const [first, ...others] = leases.held.map((lease) => () => leases.release([lease]));
  const released = [first?.()];
  await until(() => query.mock.calls.length === 1);
  released.push(...others.map((release) => release()));
  await Promise.all(released);
  expect(query).toHaveBeenCalledTimes(2);
  query.mockRestore();
  expect(await leasesIn(database).acquire(12)).toHaveLength(12);
  await database.close();
});

test('what could not be given back is given back the next time, also when the process leaves', async () => {
  const database = open(await fleet(2));
  const leases = leasesIn(database);
  const [one, two] = await leases.acquire(2);
  if (one === undefined || two === undefined) throw new Error('there are two');
  const query = vi.spyOn(database, 'query');
  query.mockRejectedValueOnce(new Error('a lock'));
  await expect(leases.release([one])).rejects.toThrow('a lock');
  expect(await leasesIn(database).acquire(2)).toEqual([]);
  await leases.release([]);
  expect(await leasesIn(database).acquire(2)).toMatchObject([{ shard: one.shard }]);
  query.mockRejectedValueOnce(new Error('a lock'));
  await expect(leases.release([two])).rejects.toThrow('a lock');
  await leases.leave();
  expect(await leasesIn(database).acquire(2)).toMatchObject([{ shard: two.shard }]);
  query.mockRestore();
  await database.close();
});

test('a lease that was lost and taken anew is not given back with the lost one', async () => {
  const database = open(await fleet(1));
  const leases = leasesIn(database);
  const [lost] = await leases.acquire(1);
  leases.forget([lost?.shard ?? -1]);
  const [taken] = await leases.acquire(1);
  await leases.release(lost === undefined ? [] : [lost]);
  expect(leases.held).toMatchObject([{ epoch: taken?.epoch }]);
  expect(await leasesIn(database).acquire(1)).toEqual([]);
  await database.close();
});

test('the owner of each shard is known as long as its lease lasts', async () => {
  const url = await fleet();
  const database = open(url);
  const leases = leasesIn(database, worker(10, 'one:8000'));
  expect(await owners(database)).toEqual([]);
  await leases.renew();
  await leases.acquire(8);
  const [one, ...others] = await owners(database);
  expect(leases.of(0)?.epoch).toBe(one?.epoch);
  expect(one).toMatchObject({ shard: 0, owner: leases.owner, url: 'http://one:8000' });
  expect(others.map(({ shard }) => shard)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  await cluster.sql('UPDATE azimuth.shards SET expires_at = clock_timestamp()', nameIn(url));
  expect(await owners(database)).toEqual([]);
  await database.close();
});

test('a scanner without a fleet is run by one process at a time', async () => {
  const url = await fleet();
  const database = open(url);
  const one = leasesIn(database);
  const other = leasesIn(database);
  const lease = await one.acquireStandalone('77000001');
  expect(lease.shard).toBeLessThan(0);
  await expect(other.acquireStandalone('77000001')).rejects.toThrow(`run by ${one.owner}`);
  expect(await one.renew()).toEqual({ lost: [], skipped: [] });
  await one.leave();
  const next = await other.acquireStandalone('77000001');
  expect(next.shard).toBe(lease.shard);
  expect(next.epoch).toBeGreaterThan(lease.epoch);
  // Workers do not take it.
  await cluster.sql('UPDATE azimuth.shards SET owner = NULL', nameIn(url));
  expect((await one.acquire(100)).map(({ shard }) => shard).toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  await database.close();
});

test('a scanner of a fleet is not run alone, and one that is run alone does not join a fleet', async () => {
  const url = await fleet();
  const database = open(url);
  const alone = leasesIn(database);
  await expect(alone.acquireStandalone(first)).rejects.toThrow(ScannerInUse);
  await (await prepared(url, serials.slice(1))).close();
  await alone.acquireStandalone(first);
  await expect(prepared(url, serials)).rejects.toThrow(ScannersRunStandalone);
  await alone.leave();
  await (await prepared(url, serials)).close();
  await expect(alone.acquireStandalone(first)).rejects.toThrow('belongs to the fleet');
  await expect(alone.acquireStandalone(second)).rejects.toThrow('belongs to the fleet');
  await database.close();
});

test('a process that wants to run a scanner alone while a fleet takes it in waits, and is told that it belongs to the fleet', async () => {
  const url = await fleet();
  const database = open(url);
  // The first one is removed from the fleet: that waits.
  const locking = await holding(url, `SELECT FROM azimuth.scanners WHERE serial = '${first}' FOR KEY SHARE`);
  const applying = prepared(url, [...serials.slice(1), '77000001']);
  await until(() => isWaiting(cluster, url, 'WITH removed%'));
  const alone = expect(leasesIn(database).acquireStandalone('77000001')).rejects.toThrow(
    'belongs to the fleet',
  );
  await until(() => isWaiting(cluster, url, 'SELECT azimuth.lone_shard%'));
  await locking.end();
  await (await applying).close();
  await alone;
  await database.close();
});

test('documents go with a scanner from a fleet to a process of its own, and back to a worker that has had its lease all the time', async () => {
  const url = await fleet();
  const worker = await SomeWorker.on(url);
  const old = worker.store.storageOf(first);
  const late = Buffer.from('late');
  const leaves = async () => (await prepared(url, serials.slice(1))).close();
  const joins = async () => (await prepared(url, serials)).close();
  await worker.store.powerOn([first]);
  await old.write('a.json', Buffer.from('of the fleet'));
  for (const time of ['once', 'once more']) {
    await leaves();
    const alone = await SomeWorker.alone(url, first);
    const storage = alone.store.storageOf(first);
    expect(String(await storage.read('a.json'))).toBe('of the fleet');
    await alone.store.powerOn([first]);
    await storage.write('a.json', Buffer.from(time));
    await storage.receive('firmware.bin', oneOf(Buffer.from(`file of ${time}`)));
    await storage.remove('b.json');
    await alone.leases.leave();
    await joins();
    await expect(storage.write('a.json', late)).rejects.toThrow(NotTheOwner);
    // Its worker has seen nothing of all that. What it runs from before knows nothing of what was saved meanwhile.
    await expect(old.write('a.json', late)).rejects.toThrow(NotTheOwner);
    await expect(worker.store.powerOn([first])).rejects.toThrow(NotTheOwner);
    await worker.look();
    await expect(old.write('a.json', late)).rejects.toThrow(NotTheOwner);
    await worker.store.powerOn(serials);
    const again = worker.store.storageOf(first);
    expect(String(await again.read('a.json'))).toBe(time);
    await again.write('a.json', Buffer.from('of the fleet'));
    await again.receive('firmware.bin', oneOf(Buffer.from('file of the fleet')));
    await again.write('b.json', Buffer.from('there'));
    expect(await fileHash(worker.store, first, 'firmware.bin')).toBe(hashOf('file of the fleet'));
    expect(await textOf(worker.store, first, 'b.json')).toBe('there');
    await alone.close();
  }
  expect(worker.store.powerOns(first)).toBe(5);
  expect(worker.store.powerOns(second)).toBe(2);
  await worker.close();
});

test('a scanner that leaves the fleet and comes back, and was run by nobody meanwhile, is saved with the lease that there is', async () => {
  const url = await fleet();
  const worker = await SomeWorker.on(url);
  const alone = await SomeWorker.alone(url, '77000001');
  await alone.store.storageOf('77000001').write('a.json', Buffer.from('alone'));
  await alone.leases.leave();
  for (const text of ['one', 'two']) {
    await (await prepared(url, [...serials, '77000001'])).close();
    await worker.look();
    await worker.store.storageOf('77000001').write('a.json', Buffer.from(text));
    await (await prepared(url, serials)).close();
  }
  expect(await textOf(worker.store, '77000001', 'a.json')).toBe('two');
  await Promise.all([worker.close(), alone.close()]);
});

test('workers that are added get shards, also if the share of the others is hardly smaller then', async () => {
  const database = open(await fleet(128));
  const many = Array.from({ length: 18 }, (_, index) => leasesIn(database, worker(100, String(index))));
  const live = async (count: number) => {
    for (const leases of many.slice(0, count)) await leases.renew();
  };
  await live(16);
  for (const leases of many.slice(0, 16)) await leases.acquire(await toMove(database, leases));
  expect(many.slice(0, 16).map(({ held }) => held.length)).toEqual(Array.from({ length: 16 }, () => 8));
  await live(18);
  for (const leases of many) {
    const move = await toMove(database, leases);
    if (move < 0) await leases.release(leases.held.slice(0, -move));
  }
  for (const leases of many) await leases.acquire(await toMove(database, leases));
  const held = many.map((leases) => leases.held.length);
  expect(held.toSorted()).toEqual([...Array.from({ length: 16 }, () => 7), 8, 8]);
  expect(await Promise.all(many.map((leases) => toMove(database, leases)))).toEqual(held.map(() => 0));
  await database.close();
});

async function* oneOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
