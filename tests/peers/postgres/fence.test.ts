import { applyFleet, DatabaseUnavailable, NotTheOwner, scannersOf } from '@azimuth/fleet/database';
import { PostgresCluster } from '@azimuth/test-support/postgres-cluster';
import { promisesSettled, until } from '@azimuth/test-support/waiting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  fleetIn,
  holding,
  isWaiting,
  nameIn,
  open,
  prepared,
  SomeWorker,
  serialsFrom,
  textOf,
} from './some-fleet.js';

let cluster: PostgresCluster;

beforeAll(async () => {
  cluster = await PostgresCluster.start();
});

afterAll(() => cluster.remove());

const serials = serialsFrom(23_000_001, 12);
const [first = ''] = serials;

function fleet(shards = 4): Promise<string> {
  return fleetIn(cluster, serials, shards);
}

/** Lets all leases expire, as if their owner had been paused for longer than they last. Its own clock does not know. */
async function expire(url: string): Promise<void> {
  await cluster.sql(
    'UPDATE azimuth.shards SET expires_at = clock_timestamp() WHERE owner IS NOT NULL',
    nameIn(url),
  );
}

test('a paused owner that believes in its lease saves nothing after it has expired, though nobody has taken it', async () => {
  const url = await fleet();
  const paused = await SomeWorker.on(url);
  const storage = paused.store.storageOf(first);
  await storage.write('a.json', Buffer.from('in time'));
  await expire(url);
  expect(paused.leases.of(paused.shardOf(first))).toBeDefined();
  const late = Buffer.from('late');
  await expect(storage.write('a.json', late)).rejects.toThrow(NotTheOwner);
  await expect(storage.write('operating.json', late)).rejects.toThrow(NotTheOwner);
  await expect(storage.remove('a.json')).rejects.toThrow(NotTheOwner);
  await expect(storage.setAside('a.json')).rejects.toThrow(NotTheOwner);
  await expect(storage.receive('a.json', oneOf(late))).rejects.toThrow(NotTheOwner);
  await expect(paused.store.powerOn([first])).rejects.toThrow(NotTheOwner);
  expect(await textOf(paused.store, first, 'a.json')).toBe('in time');
  await paused.close();
});

test('a paused owner saves nothing after another has taken its lease, nor with the next lease of its own', async () => {
  const url = await fleet();
  const paused = await SomeWorker.on(url);
  const storage = paused.store.storageOf(first);
  await expire(url);
  const next = await SomeWorker.on(url);
  await next.store.storageOf(first).write('a.json', Buffer.from('of the next owner'));
  await expect(storage.write('a.json', Buffer.from('late'))).rejects.toThrow(NotTheOwner);
  await next.leases.leave();
  const again = await paused.leases.acquire(100);
  expect(again.length).toBe(4);
  await expect(storage.write('a.json', Buffer.from('later still'))).rejects.toThrow(NotTheOwner);
  expect(await textOf(paused.store, first, 'a.json')).toBe('of the next owner');
  await paused.store.storageOf(first).write('a.json', Buffer.from('with the new lease'));
  await paused.close();
  await next.close();
});

test('a save that waits while its lease is taken looks again, and is refused', async () => {
  const url = await fleet(1);
  const owner = await SomeWorker.on(url);
  const storage = owner.store.storageOf(first);
  await storage.write('a.json', Buffer.from('before'));
  const taking = await holding(
    url,
    `WITH free AS (SELECT shard FROM azimuth.shards FOR UPDATE)
    UPDATE azimuth.shards s SET owner = 'other', epoch = nextval('azimuth.epoch_numbers')
    FROM free WHERE s.shard = free.shard`,
  );
  const late = expect(storage.write('a.json', Buffer.from('late'))).rejects.toThrow(NotTheOwner);
  await until(() => isSaveWaiting(url));
  await taking.end();
  await late;
  expect(await textOf(owner.store, first, 'a.json')).toBe('before');
  await owner.close();
});

test('a save that waits between its check and its write cannot lose the lease meanwhile', async () => {
  const url = await fleet(1);
  const owner = await SomeWorker.on(url, { milliseconds: 3000 });
  const next = await SomeWorker.on(url, { take: 0 });
  const storage = owner.store.storageOf(first);
  await storage.write('a.json', Buffer.from('before'));
  const locking = await holding(url, 'SELECT FROM azimuth.documents FOR UPDATE');
  await owner.leases.renew();
  const save = storage.write('a.json', Buffer.from('in time'));
  // It has checked, and waits for the row of the document. Its lease ends, and another process wants it.
  await until(() => isSaveWaiting(url));
  await until(async () => (await expired(url)) === '1');
  expect(await next.leases.acquire(1)).toEqual([]);
  await locking.end();
  await save;
  expect((await next.leases.acquire(1)).length).toBe(1);
  await expect(storage.write('a.json', Buffer.from('late'))).rejects.toThrow(NotTheOwner);
  expect(await textOf(next.store, first, 'a.json')).toBe('in time');
  await Promise.all([owner.close(), next.close()]);
});

test('a save does not wait for a fleet that is being applied, nor a renewal for a save', async () => {
  const url = await fleet(1);
  const owner = await SomeWorker.on(url);
  const storage = owner.store.storageOf(first);
  await storage.write('a.json', Buffer.from('before'));
  const applying = await holding(url, `UPDATE azimuth.scanners SET group_name = 'gate'`);
  await storage.write('a.json', Buffer.from('meanwhile'));
  await owner.store.powerOn(serials);
  await applying.end();
  const locking = await holding(url, 'SELECT FROM azimuth.documents FOR UPDATE');
  const save = storage.write('a.json', Buffer.from('later'));
  await until(() => isSaveWaiting(url));
  expect(await owner.leases.renew()).toEqual({ lost: [], skipped: [] });
  await locking.end();
  await save;
  expect(await textOf(owner.store, first, 'a.json')).toBe('later');
  await owner.close();
});

test('a scanner that is run alone joins a fleet after its last save, and is not saved with its old lease any more', async () => {
  const url = await fleet();
  const alone = await SomeWorker.alone(url, '77000001');
  const storage = alone.store.storageOf('77000001');
  await storage.write('a.json', Buffer.from('before'));
  const locking = await holding(url, 'SELECT FROM azimuth.documents FOR UPDATE');
  const save = storage.write('a.json', Buffer.from('the last one'));
  await until(() => isSaveWaiting(url));
  await expire(url);
  const applying = prepared(url, [...serials, '77000001']);
  await until(() => isWaiting(cluster, url, 'SELECT FROM azimuth.scanners s JOIN%'));
  await locking.end();
  await save;
  await (await applying).close();
  await expect(storage.write('a.json', Buffer.from('late'))).rejects.toThrow(NotTheOwner);
  expect(await textOf(alone.store, '77000001', 'a.json')).toBe('the last one');
  // It was only paused, and learns that the scanner is not its own any more.
  expect((await alone.leases.renew()).lost).toHaveLength(1);
  await alone.close();
});

test('saves and power-ons that wait for their scanners keep no lease from being renewed', async () => {
  const url = await fleet();
  const owner = await SomeWorker.on(url);
  const applying = await holding(url, 'SELECT FROM azimuth.scanners FOR UPDATE');
  const save = owner.store.storageOf(first).write('a.json', Buffer.from('patient'));
  const counting = owner.store.powerOn(serials);
  await until(async () => (await isSaveWaiting(url)) && (await isWaiting(cluster, url, 'WITH listed%')));
  expect(await owner.leases.renew()).toEqual({ lost: [], skipped: [] });
  await applying.end();
  await Promise.all([save, counting]);
  expect(await textOf(owner.store, first, 'a.json')).toBe('patient');
  expect(owner.store.powerOns(first)).toBe(1);
  await owner.close();
});

test('a save waits for a lock no longer than it may, and counts when it is tried again', async () => {
  const url = await fleet();
  const owner = await SomeWorker.on(url, { lockMilliseconds: 100, patience: 0 });
  const storage = owner.store.storageOf(first);
  const locking = await holding(url, 'SELECT FROM azimuth.scanners FOR UPDATE');
  await expect(storage.write('a.json', Buffer.from('late'))).rejects.toThrow(DatabaseUnavailable);
  await locking.end();
  await storage.write('a.json', Buffer.from('in time'));
  expect(await textOf(owner.store, first, 'a.json')).toBe('in time');
  await owner.close();
});

test('while the files of a new fleet are stored, scanners save, also those that change', async () => {
  const url = await fleet();
  const owner = await SomeWorker.on(url);
  const database = open(url);
  const locking = await holding(url, 'LOCK TABLE azimuth.fleet_files IN SHARE MODE');
  const files = new Map([['scene.json', Buffer.from('{}')]]);
  const scanners = serials.map((serial) => ({ serial, group: 'gate' }));
  const applying = applyFleet(database, { yaml: 'groups: {gate: {}}', files, scanners });
  await until(() => isWaiting(cluster, url, 'INSERT INTO azimuth.fleet_files%'));
  await owner.store.storageOf(first).write('a.json', Buffer.from('meanwhile'));
  await locking.end();
  await applying;
  expect(await textOf(owner.store, first, 'a.json')).toBe('meanwhile');
  await Promise.all([owner.close(), database.close()]);
});

test('a fleet that is applied locks no scanner that stays as it is', async () => {
  const url = await fleet();
  const database = open(url);
  const scanners = [...serials, '77000001'].map((serial) => ({ serial, group: 'hall' }));
  await applyFleet(database, { yaml: 'groups: {}\n# more', files: new Map(), scanners });
  expect(await scannersOf(database)).toMatchObject(scanners);
  // Whoever has locked a row has left its number there.
  expect(await cluster.sql('SELECT count(*) FROM azimuth.scanners WHERE xmax <> 0', nameIn(url))).toBe('0');
  await database.close();
});

test('a scanner that was removed from the fleet is not saved any more, and finds its documents when it is added again and started anew', async () => {
  const url = await fleet();
  const owner = await SomeWorker.on(url);
  const storage = owner.store.storageOf(first);
  await storage.write('a.json', Buffer.from('before'));
  await (await prepared(url, serials.slice(1))).close();
  await expect(storage.write('a.json', Buffer.from('late'))).rejects.toThrow(NotTheOwner);
  await (await prepared(url, serials)).close();
  await expect(storage.write('a.json', Buffer.from('later'))).rejects.toThrow(NotTheOwner);
  await owner.look();
  await owner.store.storageOf(first).write('b.json', Buffer.from('again'));
  expect(await textOf(owner.store, first, 'a.json')).toBe('before');
  await owner.close();
});

test('in takeovers that race with saves, no save of an earlier owner is accepted after a takeover', async () => {
  const url = await fleet(3);
  const database = nameIn(url);
  // Each save leaves a row with its owner's epoch, and with the epoch that the shard has when the save has been accepted.
  await cluster.sql(
    `CREATE TABLE saves (id serial, serial text, epoch integer, shard_epoch integer);
    CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO saves (serial, epoch, shard_epoch) SELECT NEW.serial, NEW.epoch, s.epoch
      FROM azimuth.scanners u JOIN azimuth.shards s USING (shard) WHERE u.serial = NEW.serial; RETURN NULL; END $$;
    CREATE TRIGGER note AFTER INSERT OR UPDATE ON azimuth.documents FOR EACH ROW EXECUTE FUNCTION note();`,
    database,
  );
  const workers = await Promise.all([1, 2, 3].map(() => SomeWorker.on(url, { take: 0, connections: 4 })));
  const taker = open(url);
  let takeovers = 0;
  let acknowledged = 0;
  let refused = 0;
  const isOver = () => takeovers >= 150;
  const takingOver = async () => {
    while (!isOver()) {
      for (const worker of workers) {
        await taker.query({
          name: 'expire',
          text: 'UPDATE azimuth.shards SET expires_at = clock_timestamp()',
        });
        takeovers += (await worker.leases.acquire(3)).length;
      }
    }
  };
  const saving = async (worker: SomeWorker, serial: string) => {
    while (!isOver()) {
      // Without a lease it is refused before anything is sent: others get their turn.
      await promisesSettled();
      const storage = worker.store.storageOf(serial);
      for (let count = 0; count < 5; count++) {
        try {
          await storage.write('a.json', Buffer.from(`${worker.leases.owner} ${count}`));
          acknowledged++;
        } catch (error) {
          if (!(error instanceof NotTheOwner)) throw error;
          refused++;
        }
      }
    }
  };
  await Promise.all([
    takingOver(),
    ...workers.flatMap((worker) => serials.slice(0, 3).map((serial) => saving(worker, serial))),
  ]);
  expect(await cluster.sql('SELECT count(*) FROM saves WHERE epoch <> shard_epoch', database)).toBe('0');
  // In the order in which they were accepted, the epochs of a scanner only rise.
  expect(
    await cluster.sql(
      'SELECT count(*) FROM (SELECT epoch < lag(epoch) OVER (PARTITION BY serial ORDER BY id) AS stale FROM saves) s WHERE stale',
      database,
    ),
  ).toBe('0');
  expect(Number(await cluster.sql('SELECT count(*) FROM saves', database))).toBeGreaterThanOrEqual(
    acknowledged,
  );
  expect(acknowledged).toBeGreaterThan(0);
  expect(refused).toBeGreaterThan(0);
  // One owner for each epoch, and one row for each takeover.
  expect(
    await cluster.sql(
      'SELECT count(*), count(DISTINCT epoch), count(DISTINCT owner) FROM azimuth.epochs',
      database,
    ),
  ).toBe(`${takeovers}|${takeovers}|3`);
  await Promise.all([...workers, taker].map((each) => each.close()));
});

/** Does a save wait for a lock? */
function isSaveWaiting(url: string): Promise<boolean> {
  return isWaiting(cluster, url, 'WITH fence%');
}

/** Leases that have expired. */
function expired(url: string): Promise<string> {
  return cluster.sql(
    'SELECT count(*) FROM azimuth.shards WHERE expires_at <= clock_timestamp()',
    nameIn(url),
  );
}

async function* oneOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
