import { randomBytes } from 'node:crypto';
import { decodeDocument } from '@azimuth/device/documents';
import {
  checkKeys,
  KeyMismatch,
  NotTheOwner,
  reseal,
  resetCredentials,
  SealBroken,
} from '@azimuth/fleet/database';
import { PostgresCluster } from '@azimuth/test-support/postgres-cluster';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileHash, fleetIn, hashOf, key, nameIn, SomeWorker, serialsFrom, textOf } from './some-fleet.js';

let cluster: PostgresCluster;

beforeAll(async () => {
  cluster = await PostgresCluster.start();
});

afterAll(() => cluster.remove());

const serials = serialsFrom(23_000_001, 20);
const [first = '', second = '', third = ''] = serials;

function fleet(): Promise<string> {
  return fleetIn(cluster, serials);
}

test('documents of scanners are apart, and another process finds them', async () => {
  const url = await fleet();
  const one = await SomeWorker.on(url);
  await one.store.storageOf(first).write('a.json', Buffer.from('one'));
  await one.store.storageOf(second).write('a.json', Buffer.from('two'));
  await one.store.storageOf(first).write('a.json', Buffer.from('one again'));
  await one.leases.leave();
  await one.close();
  const other = await SomeWorker.on(url);
  expect(await textOf(other.store, first, 'a.json')).toBe('one again');
  expect(await textOf(other.store, second, 'a.json')).toBe('two');
  expect(await textOf(other.store, first, 'b.json')).toBeUndefined();
  await other.close();
});

test('a document that is set aside has another name, and one that is removed is gone', async () => {
  const worker = await SomeWorker.on(await fleet());
  const { store } = worker;
  const storage = store.storageOf(first);
  await storage.write('a.json', Buffer.from('unreadable'));
  const aside = await storage.setAside('a.json');
  expect(aside).toMatch(/^a\.json\.unreadable-/);
  expect(await textOf(store, first, 'a.json')).toBeUndefined();
  expect(await textOf(store, first, aside)).toBe('unreadable');
  await storage.write('a.json', Buffer.from('new'));
  await storage.remove('a.json');
  await storage.remove('never there');
  expect(await textOf(store, first, 'a.json')).toBeUndefined();
  expect(await storage.pieces('a.json')).toBeUndefined();
  await worker.close();
});

test('power-ons are counted once each, for many scanners in one statement, until the operating counters contain them', async () => {
  const url = await fleet();
  const worker = await SomeWorker.on(url);
  const { store } = worker;
  await store.powerOn(serials);
  await store.powerOn([first, first]);
  expect([first, second, 'unknown'].map((serial) => store.powerOns(serial))).toEqual([2, 1, 0]);
  await store.storageOf(first).write('operating.json', Buffer.from('{}'));
  await store.storageOf(second).write('parameters.json', Buffer.from('{}'));
  expect([first, second].map((serial) => store.powerOns(serial))).toEqual([0, 1]);
  await worker.leases.leave();
  await worker.close();

  const next = await SomeWorker.on(url);
  await next.store.powerOn([first, second]);
  expect([first, second].map((serial) => next.store.powerOns(serial))).toEqual([1, 2]);
  await next.close();
});

test('power-ons that the operating counters contain are not counted again, however many statements the owner of before had sent', async () => {
  const url = await fleet();
  const worker = await SomeWorker.on(url);
  await worker.store.powerOn([first]);
  await worker.leases.leave();
  await worker.close();
  // As if that process had sent many more statements than the next one.
  await cluster.sql('UPDATE azimuth.power_ons SET number = number + 100000', nameIn(url));
  const next = await SomeWorker.on(url);
  await next.store.powerOn([first]);
  expect(next.store.powerOns(first)).toBe(2);
  await next.store.storageOf(first).write('operating.json', Buffer.from('{}'));
  await next.store.powerOn([first]);
  expect(next.store.powerOns(first)).toBe(1);
  await next.close();
});

test('power-ons of scanners whose lease is lost are not counted, and keep no others from it', async () => {
  const url = await fleet();
  const worker = await SomeWorker.on(url);
  const lost = worker.shardOf(first);
  await cluster.sql(`UPDATE azimuth.shards SET owner = 'other' WHERE shard = ${lost}`, nameIn(url));
  const others = serials.filter((serial) => worker.shardOf(serial) !== lost);
  expect([...(await worker.store.powerOn(serials))].toSorted()).toEqual(others);
  expect(await cluster.sql('SELECT count(*) FROM azimuth.power_ons', nameIn(url))).toBe(`${others.length}`);
  expect(others.map((serial) => worker.store.powerOns(serial))).toEqual(others.map(() => 1));
  const ofLost = serials.filter((serial) => !others.includes(serial));
  await expect(worker.store.powerOn(ofLost)).rejects.toThrow(NotTheOwner);
  worker.leases.forget([lost]);
  expect([...(await worker.store.powerOn(serials))].toSorted()).toEqual(others);
  await expect(worker.store.powerOn([first])).rejects.toThrow(NotTheOwner);
  await worker.close();
});

test('a file comes in pieces, and is there when all of them are', async () => {
  const worker = await SomeWorker.on(await fleet());
  const { store } = worker;
  const file = randomBytes(1_000_003);
  await store.storageOf(first).receive('firmware.bin', cut(file, 70_001));
  expect(await fileHash(store, first, 'firmware.bin')).toBe(hashOf(file));
  expect(hashOf((await store.storageOf(first).read('firmware.bin')) ?? '')).toBe(hashOf(file));
  await store.storageOf(first).receive('empty.bin', cut(Buffer.alloc(0), 1));
  expect(await fileHash(store, first, 'empty.bin')).toBe(hashOf(Buffer.alloc(0)));
  await worker.close();
});

test('a file whose pieces end with an error leaves the old one, and nothing of itself', async () => {
  const url = await fleet();
  const worker = await SomeWorker.on(url);
  const { store } = worker;
  const old = randomBytes(300_000);
  await store.storageOf(first).receive('firmware.bin', cut(old, 64 * 1024));
  await expect(
    store.storageOf(first).receive('firmware.bin', breaking(randomBytes(600_000), 64 * 1024)),
  ).rejects.toThrow('the connection broke');
  expect(await fileHash(store, first, 'firmware.bin')).toBe(hashOf(old));
  expect(await cluster.sql('SELECT count(*), max(pieces) FROM azimuth.files', nameIn(url))).toBe('1|2');
  expect(await cluster.sql('SELECT count(*) FROM azimuth.pieces', nameIn(url))).toBe('2');
  await worker.close();
});

test('a file of which a piece is missing does not become the scanner’s', async () => {
  const url = await fleet();
  const worker = await SomeWorker.on(url);
  const { store } = worker;
  const old = randomBytes(300_000);
  await store.storageOf(first).receive('firmware.bin', cut(old, 64 * 1024));
  const losing = (async function* () {
    yield randomBytes(600_000);
    await cluster.sql('DELETE FROM azimuth.pieces WHERE file = 2 AND piece = 0', nameIn(url));
    yield randomBytes(10);
  })();
  await expect(store.storageOf(first).receive('firmware.bin', losing)).rejects.toThrow('were removed');
  expect(await fileHash(store, first, 'firmware.bin')).toBe(hashOf(old));
  await worker.close();
});

test('a file that is replaced while somebody reads it is read to its end, and removed when it is old', async () => {
  const url = await fleet();
  const worker = await SomeWorker.on(url);
  const { store } = worker;
  const old = randomBytes(800_000);
  const young = randomBytes(500_000);
  await store.storageOf(first).receive('firmware.bin', cut(old, 64 * 1024));
  const pieces = await store.storageOf(first).pieces('firmware.bin');
  const read: Uint8Array[] = [];
  for await (const piece of pieces ?? []) {
    if (read.length === 0) {
      // It was sent long ago, and is replaced only now.
      await age(url);
      await store.storageOf(first).receive('firmware.bin', cut(young, 64 * 1024));
    }
    read.push(piece);
  }
  expect(hashOf(Buffer.concat(read))).toBe(hashOf(old));
  expect(await fileHash(store, first, 'firmware.bin')).toBe(hashOf(young));

  // What a process has left that is gone.
  await cluster.sql(
    `INSERT INTO azimuth.files (serial, name) VALUES ('${second}', 'firmware.bin')`,
    nameIn(url),
  );
  await age(url);
  await store.storageOf(second).receive('firmware.bin', cut(young, 64 * 1024));
  expect(
    await cluster.sql('SELECT string_agg(file::text, $$ $$ ORDER BY file) FROM azimuth.files', nameIn(url)),
  ).toBe('2 4');
  await worker.close();
});

test('a document replaces a file of the same name, and a file replaces a document', async () => {
  const worker = await SomeWorker.on(await fleet());
  const { store } = worker;
  const storage = store.storageOf(first);
  await storage.receive('a', cut(randomBytes(10), 3));
  await storage.write('a', Buffer.from('document'));
  expect(await textOf(store, first, 'a')).toBe('document');
  await storage.receive('a', cut(Buffer.from('a file'), 3));
  expect(await textOf(store, first, 'a')).toBe('a file');
  await worker.close();
});

test('secret documents are sealed in their rows, and only the same key, scanner and name open them', async () => {
  const url = await fleet();
  const worker = await SomeWorker.on(url);
  const secret = 'a private key that nobody may read';
  await worker.store.storageOf(first).write('certificates.json', Buffer.from(secret), { secret: true });
  await worker.store.storageOf(first).write('parameters.json', Buffer.from('public'));
  expect(await textOf(worker.store, first, 'certificates.json')).toBe(secret);
  const rows = await cluster.sql(
    `SELECT name, position('private key' IN encode(content, 'escape')) FROM azimuth.documents ORDER BY name`,
    nameIn(url),
  );
  expect(rows).toBe('certificates.json|0\nparameters.json|0');

  const other = await SomeWorker.on(url, { keys: ['another key of sixteen bytes'] });
  await expect(other.store.storageOf(first).read('certificates.json')).rejects.toThrow(SealBroken);
  await other.close();
  await cluster.sql(
    `INSERT INTO azimuth.documents SELECT '${second}', name, content, file, secret, is_active, epoch, number FROM azimuth.documents WHERE secret`,
    nameIn(url),
  );
  await expect(worker.store.storageOf(second).read('certificates.json')).rejects.toThrow(SealBroken);
  // Nor is a row taken that only says that it needs no seal, as somebody without the key could write it.
  await cluster.sql(
    `UPDATE azimuth.documents SET content = '{}', secret = false WHERE serial = '${first}' AND name = 'certificates.json'`,
    nameIn(url),
  );
  await expect(worker.store.storageOf(first).read('certificates.json')).rejects.toThrow(SealBroken);
  await worker.close();
});

test('the key is changed while workers run: secret documents are sealed with the next one', async () => {
  const url = await fleet();
  const [before, after] = [key, 'the next key of the deployment'] as const;
  const old = await SomeWorker.on(url);
  await checkKeys(old.database, [before]);
  const secret = Buffer.from('a private key');
  for (const serial of [first, second, third])
    await old.store.storageOf(serial).write('certificates.json', secret, { secret: true });
  await old.store.storageOf(first).write('parameters.json', Buffer.from('public'));
  await old.leases.leave();
  await old.close();
  const both = await SomeWorker.on(url, { keys: [after, before] });
  expect(await textOf(both.store, first, 'certificates.json')).toBe('a private key');
  const { database } = both;
  await expect(reseal(database, [after])).rejects.toThrow(KeyMismatch);
  // What somebody has changed, no key opens: that keeps nobody from changing the key.
  await cluster.sql(
    `UPDATE azimuth.documents SET content = set_byte(content, 40, 1 - get_byte(content, 40) % 2) WHERE serial = '${third}'`,
    nameIn(url),
  );
  const broken = [expect.stringContaining(third)];
  expect(await reseal(database, [after, before])).toEqual({ documents: 3, changed: 2, broken });
  expect(await reseal(database, [after])).toEqual({ documents: 3, changed: 0, broken });
  await expect(reseal(database, [before])).rejects.toThrow(KeyMismatch);
  // The row is still that of the same save: the next one of its scanner replaces it.
  await both.store.storageOf(first).write('certificates.json', Buffer.from('the next'), { secret: true });
  await both.close();
  const fresh = await SomeWorker.on(url, { keys: [after] });
  expect(await textOf(fresh.store, first, 'certificates.json')).toBe('the next');
  expect(await textOf(fresh.store, second, 'certificates.json')).toBe('a private key');
  expect(await textOf(fresh.store, first, 'parameters.json')).toBe('public');
  await fresh.close();
});

test('a save is refused, and not passed over, where a row is of a later owner than there is', async () => {
  const url = await fleet();
  const worker = await SomeWorker.on(url);
  const storage = worker.store.storageOf(first);
  await storage.write('a.json', Buffer.from('one'));
  await cluster.sql('UPDATE azimuth.documents SET epoch = 2147483647', nameIn(url));
  await expect(storage.write('a.json', Buffer.from('two'))).rejects.toThrow(NotTheOwner);
  await expect(storage.remove('a.json')).rejects.toThrow(NotTheOwner);
  expect(await textOf(worker.store, first, 'a.json')).toBe('one');
  await worker.close();
});

test('a key that is too short is refused', async () => {
  await expect(SomeWorker.on(await fleet(), { keys: ['short'] })).rejects.toThrow(
    'at least 16 characters; this one has 5',
  );
});

test('it is known of each scanner whether it sends from its power-on on, without a look at its parameters', async () => {
  const url = await fleet();
  const worker = await SomeWorker.on(url);
  const { store } = worker;
  const on = { Maintenance: true, AuthorizedClient: true, Service: true };
  const parameters = (sends: boolean) =>
    Buffer.from(
      JSON.stringify({
        ...{ format: 1, saved: { date: '2026-01-01', time: '00:00:00' }, webserverEnabled: true },
        ...{ userLevels: on, legacyUserLevels: on, parameters: { ScanDataEnable: sends } },
      }),
    );
  await store.storageOf(first).write('parameters.json', parameters(true));
  await store.storageOf(first).write('operating.json', Buffer.from('{}'));
  await store.storageOf(second).write('parameters.json', parameters(true));
  await store.storageOf(second).write('parameters.json', parameters(false));
  await store.powerOn([first, second, third]);
  const known = [first, second, third].map((serial) => store.sendsFromPowerOn(serial));
  expect(known).toEqual([true, false, undefined]);
  await worker.close();
});

test('it is known of each scanner which release it runs, from its power-on on and when it is updated', async () => {
  const url = await fleet();
  const worker = await SomeWorker.on(url);
  const firmware = (release: string) =>
    Buffer.from(JSON.stringify({ format: 1, release, createdWith: '2.1.0' }));
  await worker.store.storageOf(first).write('firmware.json', firmware('2.2.0'));
  await worker.store.storageOf(second).write('firmware.json', firmware('2.3.1'));
  const other = await SomeWorker.on(url, {
    owner: worker.leases.owner,
    leaseOf: (serial) => worker.leases.of(worker.shardOf(serial)),
  });
  await other.store.powerOn([first, second, third]);
  const known = () => [first, second, third].map((serial) => other.store.release(serial));
  expect(known()).toEqual(['2.2.0', '2.3.1', undefined]);
  await other.store.storageOf(first).write('firmware.json', firmware('2.4.4'));
  expect(known()).toEqual(['2.4.4', '2.3.1', undefined]);
  await worker.close();
});

test('an older save that arrives late does not undo a newer one', async () => {
  const url = await fleet();
  const worker = await SomeWorker.on(url);
  const storage = worker.store.storageOf(first);
  await storage.write('a.json', Buffer.from('newer'));
  // As if this save had come after others of the same owner.
  await cluster.sql('UPDATE azimuth.documents SET number = number + 1000', nameIn(url));
  await storage.write('a.json', Buffer.from('older'));
  await storage.remove('a.json');
  expect(await textOf(worker.store, first, 'a.json')).toBe('newer');
  await worker.close();
});

test('a storage that was closed writes nothing more', async () => {
  const worker = await SomeWorker.on(await fleet());
  const storage = worker.store.storageOf(first);
  await storage.close();
  await expect(storage.write('a.json', Buffer.from('late'))).rejects.toThrow('no longer written');
  expect(await textOf(worker.store, first, 'a.json')).toBeUndefined();
  await worker.close();
});

/** All files are two hours older. */
async function age(url: string): Promise<void> {
  await cluster.sql(`UPDATE azimuth.files SET touched_at = touched_at - interval '2 hours'`, nameIn(url));
}

async function* cut(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function* breaking(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  yield* cut(bytes, size);
  throw new Error('the connection broke');
}

test('the owner of the database gives scanners new credentials, sealed, whoever runs them', async () => {
  const url = await fleet();
  const worker = await SomeWorker.on(url);
  const storage = worker.store.storageOf(first);
  expect(await storage.isUsed()).toBe(false);
  await storage.write('credentials.json', Buffer.from('damaged'), { secret: true });
  expect(await storage.isUsed()).toBe(true);
  await storage.setAside('credentials.json');
  expect(await storage.read('credentials.json')).toBeUndefined();
  expect(await storage.isUsed()).toBe(true);
  const unknown = await resetCredentials(worker.database, [key], [first, 'nobody'], { Service: 'next' });
  expect(unknown).toEqual(['nobody']);
  const found = await storage.read('credentials.json');
  expect(decodeDocument(found ?? new Uint8Array())).toMatchObject({ rest: { Service: {} } });
  await storage.write('credentials.json', Buffer.from('changed later'), { secret: true });
  expect(await textOf(worker.store, first, 'credentials.json')).toBe('changed later');
  await worker.close();
});
