import {
  applyFleet,
  BadDatabaseUrl,
  checkKeys,
  checkSchema,
  type Database,
  DatabaseRefused,
  DatabaseUnavailable,
  desiredFleet,
  fleetChannel,
  History,
  migrate,
  owners,
  readHistory,
  removeOldHistory,
  SchemaMismatch,
  scannersOf,
  shardOf,
} from '@azimuth/fleet/database';
import { PostgresCluster } from '@azimuth/test-support/postgres-cluster';
import { until } from '@azimuth/test-support/waiting';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { key, leasesIn, nameIn, open, prepared, SomeWorker, serialsFrom, silent } from './some-fleet.js';

let cluster: PostgresCluster;

beforeAll(async () => {
  cluster = await PostgresCluster.start();
});

afterAll(() => cluster.remove());

const serials = serialsFrom(23_000_001, 12);
const [first = '', second = ''] = serials;
const listed = serials.map((serial) => ({ serial, group: 'hall' }));

test('migrations are applied once, whoever applies them at the same time', async () => {
  const url = await cluster.database();
  const database = open(url);
  const all = await Promise.all([1, 2, 3].map(() => migrate(database, { shards: 5 })));
  expect(all.flatMap(({ applied }) => applied)).toEqual(['first tables']);
  expect(await migrate(database)).toEqual({ applied: [], version: 1, shards: 5, missingRoles: [] });
  expect(await cluster.sql('SELECT count(*) FROM azimuth.shards', nameIn(url))).toBe('5');
  await checkSchema(database);
  await expect(migrate(database, { shards: 6 })).rejects.toThrow(
    '5 shards. Their number cannot be changed to 6',
  );
  await database.close();
});

test('a migration that fails leaves nothing of itself', async () => {
  const url = await cluster.database();
  const database = open(url);
  await migrate(database);
  const second = {
    number: 2,
    name: 'broken',
    sql: 'CREATE TABLE azimuth.more (); SELECT 1 / 0',
    oldestProgram: 1,
  };
  const first = { number: 1, name: 'first tables', sql: 'SELECT 1 / 0', oldestProgram: 1 };
  await expect(migrate(database, { list: [first, second] })).rejects.toThrow('division by zero');
  expect(await cluster.sql(`SELECT to_regclass('azimuth.more') IS NULL`, nameIn(url))).toBe('t');
  expect(await cluster.sql('SELECT max(number) FROM azimuth.migrations', nameIn(url))).toBe('1');
  await database.close();
});

test('tables that are missing, too old or too new are refused in words', async () => {
  const url = await cluster.database();
  const database = open(url);
  await expect(checkSchema(database)).rejects.toThrow('has no tables of Azimuth');
  await migrate(database);
  await cluster.sql('UPDATE azimuth.migrations SET number = 7, oldest_program = 7', nameIn(url));
  await expect(checkSchema(database)).rejects.toThrow(
    'version 7, which need a program that knows version 7, and this program knows only version 1',
  );
  await expect(migrate(database)).rejects.toThrow(SchemaMismatch);
  await cluster.sql('UPDATE azimuth.migrations SET number = 0, oldest_program = 0', nameIn(url));
  await expect(checkSchema(database)).rejects.toThrow('version 0, and this program needs version 1');
  await database.close();
});

test('a server that acknowledges what it could lose is refused', async () => {
  const url = await cluster.database();
  await cluster.sql(`ALTER DATABASE ${nameIn(url)} SET synchronous_commit = off`);
  const database = open(url);
  await migrate(database);
  await expect(checkSchema(database)).rejects.toThrow('synchronous_commit off');
  await database.close();
});

test('a connection acknowledges nothing that could be lost, whatever the settings of the server are later', async () => {
  const url = await cluster.database();
  const set = (value: string) =>
    cluster.sql(`ALTER DATABASE ${nameIn(url)} SET synchronous_commit = ${value}`);
  const show = { name: 'show', text: 'SHOW synchronous_commit' };
  for (const [usual, used] of [
    ['off', 'on'],
    ['local', 'on'],
    ['remote_apply', 'remote_apply'],
  ] as const) {
    await set(usual);
    const database = open(url);
    expect(await database.query(show)).toEqual([{ synchronous_commit: used }]);
    await database.close();
  }
});

test('documents are compressed with lz4 where the server has it', async () => {
  const url = await cluster.database();
  await (await prepared(url, serials)).close();
  const compression = await cluster.sql(
    `SELECT attcompression FROM pg_attribute WHERE attrelid = 'azimuth.documents'::regclass AND attname = 'content'`,
    nameIn(url),
  );
  const known = await cluster.sql(
    `SELECT 'lz4' = ANY (enumvals) FROM pg_settings WHERE name = 'default_toast_compression'`,
  );
  expect(compression).toBe(known === 't' ? 'l' : '');
});

test('what a fleet should be is replaced as a whole, and told', async () => {
  const database = await prepared(await cluster.database(), [], 4);
  let told = 0;
  const end = database.listen(fleetChannel, () => told++);
  await until(() => told === 1);
  const files = new Map([['scene.json', Buffer.from('{"a":1}')]]);
  const fleet = { yaml: 'groups: {}\n# more', files };
  expect(await applyFleet(database, { ...fleet, scanners: listed })).toEqual({
    version: 2,
    added: 12,
    removed: 0,
    kept: 0,
  });
  await until(() => told === 2);
  const desired = await desiredFleet(database);
  expect(desired).toMatchObject({ version: 2, yaml: fleet.yaml });
  expect([...(desired?.files ?? [])].map(([name, content]) => [name, String(content)])).toEqual([
    ['scene.json', '{"a":1}'],
  ]);
  // The same once more is the same version.
  expect(await applyFleet(database, { ...fleet, scanners: listed })).toMatchObject({ version: 2, kept: 12 });
  const changed = [
    ...listed.slice(2).map(({ serial }) => ({ serial, group: 'gate' })),
    { serial: '1', group: 'x' },
  ];
  expect(await applyFleet(database, { yaml: 'other', files: new Map(), scanners: changed })).toEqual({
    version: 3,
    added: 1,
    removed: 2,
    kept: 10,
  });
  expect(await scannersOf(database)).toMatchObject(
    changed.map((scanner) => ({ ...scanner, shard: shardOf(scanner.serial, 4) })),
  );
  end();
  await database.close();
});

test('ten thousand scanners are applied at once, in shards of about the same size', async () => {
  const database = await prepared(await cluster.database(), serialsFrom(23_000_001, 10_000), 128);
  const all = await scannersOf(database);
  expect(all.length).toBe(10_000);
  const sizes = Array.from({ length: 128 }, (_, shard) => all.filter((each) => each.shard === shard).length);
  expect(Math.min(...sizes)).toBeGreaterThan(40);
  expect(Math.max(...sizes)).toBeLessThan(130);
  await database.close();
});

test('the history can be asked for a scanner, a time and a number of rows, and ends where it is too old', async () => {
  const url = await cluster.database();
  const database = await prepared(url, serials);
  await cluster.sql(
    `UPDATE azimuth.settings SET keep_detections = '99 years', keep_events = '99 years'`,
    nameIn(url),
  );
  const history = new History({ database, log: silent });
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute));
  for (let minute = 0; minute < 10; minute++) {
    history.append('detections', [
      { serial: first, at: at(minute), kind: 'field', data: { minute } },
      { serial: second, at: at(minute), kind: 'field', data: [minute] },
    ]);
  }
  history.append('events', [{ serial: first, at: at(0), kind: 'odd', data: { text: 'nul \u0000' } }]);
  history.append('events', [{ serial: first, at: at(1), kind: 'fine', data: null }]);
  await until(() => history.waiting === 0);
  expect(history.dropped).toBe(1);
  const part = await readHistory(database, 'detections', { serial: first, from: at(3), to: at(8), limit: 3 });
  expect(part.map(({ data }) => data)).toEqual([{ minute: 7 }, { minute: 6 }, { minute: 5 }]);
  expect(await readHistory(database, 'detections', { limit: 100 })).toHaveLength(20);
  expect(await readHistory(database, 'events', { limit: 10 })).toEqual([
    { serial: first, at: at(1), kind: 'fine', data: null },
  ]);
  await expect(readHistory(database, 'events', { limit: 0 })).rejects.toThrow(RangeError);
  await history.close();

  await cluster.sql(
    `UPDATE azimuth.settings SET keep_detections = clock_timestamp() - '2026-01-01T12:04:30Z'`,
    nameIn(url),
  );
  await removeOldHistory(database);
  expect(await readHistory(database, 'detections', { limit: 100 })).toHaveLength(10);
  await database.close();
});

test('no message of an error contains the password', async () => {
  const password = 'geheim-4711';
  const place = `127.0.0.1:${cluster.port}/postgres`;
  const urls = [
    `postgres://postgres:${password}@127.0.0.1:1/postgres`,
    `postgres://postgres:${password}@no-such-host.invalid/postgres`,
    `postgres://nobody:${password}@${place}`,
    `postgres://postgres:${password}@127.0.0.1:${cluster.port}/none`,
  ];
  for (const url of urls) {
    const database = open(url);
    const error = await database.query({ name: 'one', text: 'SELECT 1' }).catch((error: unknown) => error);
    expect(error instanceof DatabaseUnavailable || error instanceof DatabaseRefused).toBe(true);
    expect(textsOf(error)).not.toContain(password);
    await database.close();
  }
  for (const url of [
    `mysql://a:${password}@h/d`,
    `postgres//a:${password}@h`,
    `postgres://a:${password}%zz@h:x/d`,
  ]) {
    const error = errorOf(() => open(url));
    expect(error).toBeInstanceOf(BadDatabaseUrl);
    expect(textsOf(error)).not.toContain(password);
  }
});

test('history that is too old is removed by whoever appends, also if it is more than one statement removes', async () => {
  const url = await cluster.database();
  const database = await prepared(url, serials, 4);
  await cluster.sql(
    `INSERT INTO azimuth.events SELECT '1', clock_timestamp() - interval '1000 days', n, 'old', '{}' FROM generate_series(1, 25000) n`,
    nameIn(url),
  );
  const history = new History({ database, log: silent });
  history.append('events', [{ serial: first, at: new Date(), kind: 'new', data: 1 }]);
  const count = () => cluster.sql('SELECT count(*) FROM azimuth.events', nameIn(url));
  await expect.poll(count).toBe('1');
  await history.close();
  await database.close();
});

test('each role may do what its program does, and nothing else', async () => {
  const url = await cluster.database();
  await (await prepared(url, serials, 4)).close();
  await cluster.sql(`INSERT INTO azimuth.events VALUES ('1', now(), 1, 'a', '{}')`, nameIn(url));
  for (const role of ['worker', 'gateway', 'reader'])
    await cluster.sql(`CREATE ROLE some_${role} LOGIN IN ROLE azimuth_${role}`);
  const as = (role: string) => cluster.url(nameIn(url), `some_${role}`);

  const worker = await SomeWorker.on(as('worker'));
  await checkSchema(worker.database);
  expect(await checkKeys(worker.database, [key])).toBe(true);
  await worker.store.powerOn(serials);
  const storage = worker.store.storageOf(first);
  await storage.write('operating.json', Buffer.from('{}'));
  await storage.receive('firmware.bin', oneOf(Buffer.from('file')));
  await storage.remove(await storage.setAside('firmware.bin'));
  await worker.leases.renew();
  await desiredFleet(worker.database);
  const history = new History({ database: worker.database, log: silent });
  history.append('events', [{ serial: first, at: new Date(), kind: 'a', data: 1 }]);
  await until(() => history.waiting === 0);
  expect(history.dropped).toBe(0);
  await history.close();
  await removeOldHistory(worker.database);
  expect((await leasesIn(worker.database).acquireStandalone('77000001')).shard).toBeLessThan(0);

  const gateway = open(as('gateway'));
  await checkSchema(gateway);
  expect(await owners(gateway)).toHaveLength(4);
  expect(await scannersOf(gateway)).toHaveLength(12);
  const reader = open(as('reader'));
  await checkSchema(reader);
  expect(await readHistory(reader, 'events', { limit: 10 })).toHaveLength(2);

  const forbidden = {
    worker: [
      `UPDATE azimuth.scanners SET shard = 0`,
      `UPDATE azimuth.scanners SET lock_right = true`,
      'DELETE FROM azimuth.scanners',
      `INSERT INTO azimuth.shards (shard) VALUES (99)`,
      'DELETE FROM azimuth.epochs',
      'UPDATE azimuth.epochs SET owner = null',
      'DELETE FROM azimuth.events',
      'UPDATE azimuth.settings SET keep_events = null',
      `INSERT INTO azimuth.fleet (version, yaml) VALUES (99, '')`,
      'DELETE FROM azimuth.documents',
      'UPDATE azimuth.key_check SET value = null',
      'DELETE FROM azimuth.key_check',
      'CREATE TABLE azimuth.more ()',
      'DROP TABLE azimuth.events',
    ],
    gateway: [
      'SELECT * FROM azimuth.documents',
      'SELECT * FROM azimuth.key_check',
      'SELECT * FROM azimuth.pieces',
      'DELETE FROM azimuth.fleet',
      'SELECT * FROM azimuth.events',
      'SELECT * FROM azimuth.power_ons',
      'SELECT azimuth.remove_old_history()',
      `SELECT azimuth.lone_shard('1')`,
      `SELECT nextval('azimuth.epoch_numbers')`,
      'UPDATE azimuth.shards SET owner = null',
      'DELETE FROM azimuth.workers',
    ],
    reader: [
      'SELECT * FROM azimuth.documents',
      'SELECT * FROM azimuth.key_check',
      'SELECT * FROM azimuth.pieces',
      'SELECT * FROM azimuth.fleet_files',
      'DELETE FROM azimuth.events',
      `INSERT INTO azimuth.detections VALUES ('1', now(), 1, 'a', '{}')`,
      'UPDATE azimuth.shards SET owner = null',
    ],
  };
  for (const [role, statements] of Object.entries(forbidden)) {
    const database = open(as(role));
    for (const [number, text] of statements.entries()) {
      const error = await database.query({ name: `${number}`, text }).catch((error: unknown) => error);
      expect(error, `${role}: ${text}`).toBeInstanceOf(DatabaseRefused);
      // No right, or a check of the table.
      expect(error instanceof DatabaseRefused ? error.sqlState : '', `${role}: ${text}`).toMatch(
        /^(42501|23514)$/,
      );
    }
    await database.close();
  }
  await Promise.all([worker, gateway, reader].map((each) => each.close()));
});

test('a user who may not create roles is told which ones are missing', async () => {
  const other = await PostgresCluster.start();
  onTestFinished(() => other.remove());
  await other.sql('CREATE ROLE owner LOGIN');
  await other.sql('CREATE DATABASE small OWNER owner');
  const database = open(other.url('small', 'owner'));
  const { missingRoles } = await migrate(database);
  expect(missingRoles).toEqual(['azimuth_worker', 'azimuth_gateway', 'azimuth_reader']);
  await other.sql('CREATE ROLE azimuth_worker; CREATE ROLE azimuth_gateway; CREATE ROLE azimuth_reader');
  expect((await migrate(database)).missingRoles).toEqual([]);
  await database.close();
});

async function* oneOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function errorOf(act: () => Database): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

/** All that an error could show: its message, its properties, its cause, its stack. */
function textsOf(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error);
  return [String(error), error.stack, JSON.stringify(Object.entries(error)), textsOf(error.cause ?? '')].join(
    '\n',
  );
}
