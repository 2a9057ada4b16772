import { type Database, DatabaseUnavailable, History, readHistory } from '@azimuth/fleet/database';
import { FailingProxy } from '@azimuth/test-support/failing-proxy';
import { PostgresCluster } from '@azimuth/test-support/postgres-cluster';
import { latch, until } from '@azimuth/test-support/waiting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fleetIn, nameIn, open, SomeWorker, serialsFrom, silent, textOf } from './some-fleet.js';

let cluster: PostgresCluster;

beforeAll(async () => {
  cluster = await PostgresCluster.start();
});

afterAll(() => cluster.remove());

const serials = serialsFrom(23_000_001, 12);
const [first = ''] = serials;

function fleet(): Promise<string> {
  return fleetIn(cluster, serials);
}

test('while the server is stopped, a save says that the database does not answer, and works again without help afterwards', async () => {
  const url = await fleet();
  const worker = await SomeWorker.on(url, { patience: 0 });
  const storage = worker.store.storageOf(first);
  await storage.write('a.json', Buffer.from('before'));
  await cluster.stop('fast');
  const failure = await storage.write('a.json', Buffer.from('meanwhile')).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(DatabaseUnavailable);
  expect(String(failure)).toContain(`${nameIn(url)} at 127.0.0.1:${cluster.port} does not answer`);
  await expect(storage.read('a.json')).rejects.toThrow(DatabaseUnavailable);
  await expect(worker.leases.renew()).rejects.toThrow(DatabaseUnavailable);
  await cluster.start();
  await storage.write('a.json', Buffer.from('after'));
  expect(await textOf(worker.store, first, 'a.json')).toBe('after');
  expect(await worker.leases.renew()).toEqual({ lost: [], skipped: [] });
  await worker.close();
});

test('a save waits for a server that starts again', async () => {
  const worker = await SomeWorker.on(await fleet(), { patience: 30_000 });
  const storage = worker.store.storageOf(first);
  await cluster.stop();
  const save = storage.write('a.json', Buffer.from('patient'));
  const counting = worker.store.powerOn(serials);
  await cluster.start();
  await save;
  await counting;
  expect(await textOf(worker.store, first, 'a.json')).toBe('patient');
  expect(worker.store.powerOns(first)).toBe(1);
  await worker.close();
});

test('a power-on whose connection is cut before it was counted is counted once', async () => {
  const url = await fleet();
  const worker = await SomeWorker.on(url, { patience: 30_000, connections: 1 });
  await worker.store.powerOn([first]);
  await cluster.sql(
    `CREATE SEQUENCE tries;
    CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('tries') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(10); END IF; RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON azimuth.power_ons DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION cut()`,
    nameIn(url),
  );
  await worker.store.powerOn([first]);
  expect(worker.store.powerOns(first)).toBe(2);
  expect(await cluster.sql(`SELECT last_value FROM tries`, nameIn(url))).toBe('2');
  await worker.close();
});

test('what was done, and whose answer was lost, is done once', async () => {
  const url = await fleet();
  const proxy = await FailingProxy.to(cluster.port);
  const worker = await SomeWorker.on(url.replace(`:${cluster.port}`, `:${proxy.port}`), {
    patience: 30_000,
    connections: 1,
  });
  const { store } = worker;
  await store.powerOn([first]);
  proxy.loseNextResponse();
  await store.powerOn([first]);
  expect(proxy.lost).toBe(1);
  expect(store.powerOns(first)).toBe(2);
  expect(await cluster.sql('SELECT count FROM azimuth.power_ons', nameIn(url))).toBe('2');

  proxy.loseNextResponse();
  await store.storageOf(first).write('operating.json', Buffer.from('{}'));
  expect(proxy.lost).toBe(2);
  expect(await cluster.sql('SELECT count FROM azimuth.power_ons', nameIn(url))).toBe('0');
  expect(await textOf(store, first, 'operating.json')).toBe('{}');

  await cluster.sql(
    `CREATE SEQUENCE changes;
    CREATE FUNCTION count_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM nextval('changes'); RETURN NULL; END $$;
    CREATE TRIGGER count_change AFTER INSERT OR UPDATE ON azimuth.documents FOR EACH ROW EXECUTE FUNCTION count_change()`,
    nameIn(url),
  );
  proxy.loseNextResponse();
  await store.storageOf(first).write('operating.json', Buffer.from('{"again": 1}'));
  expect(proxy.lost).toBe(3);
  expect(await cluster.sql('SELECT last_value FROM changes', nameIn(url))).toBe('1');

  proxy.loseNextResponse();
  const aside = await store.storageOf(first).setAside('operating.json');
  expect(proxy.lost).toBe(4);
  expect(await textOf(store, first, aside)).toBe('{"again": 1}');
  await worker.close();
  await proxy.close();
});

test('no acknowledged save is missing after immediate stops under load', async () => {
  const url = await fleet();
  const worker = await SomeWorker.on(url, { patience: 0, connections: 6 });
  const acknowledged = new Map<string, number>();
  let waiting = 0;
  let isOver = false;
  /** Savers whose save has failed wait while what is stored is compared with what was acknowledged. */
  let gate: Promise<void> | undefined;
  const saving = async (serial: string) => {
    const storage = worker.store.storageOf(serial);
    for (let count = 1; !isOver; ) {
      try {
        await storage.write('a.json', Buffer.from(String(count)));
        acknowledged.set(serial, count);
        count++;
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) throw error;
        waiting++;
        await gate;
        waiting--;
      }
    }
  };
  const savers = serials.map(saving);
  const control = open(url);
  for (let stop = 0; stop < 3; stop++) {
    const before = new Map(acknowledged);
    await until(() =>
      serials.every((serial) => (acknowledged.get(serial) ?? 0) > (before.get(serial) ?? 0) + 3),
    );
    const comparing = latch();
    gate = comparing.opened;
    await cluster.stop();
    await until(() => waiting === serials.length);
    const atTheStop = new Map(acknowledged);
    await cluster.start();
    expect(await lost(control, atTheStop)).toEqual([]);
    comparing.open();
  }
  isOver = true;
  await Promise.all(savers);
  expect(await lost(control, acknowledged)).toEqual([]);
  await control.close();
  await worker.close();
});

test('a server that does not answer in time counts as away, and the connection is not used again', async () => {
  const url = await fleet();
  const database = open(url, { connections: 1, statementMilliseconds: 200 });
  const slow = { name: 'slow', text: 'SELECT pg_sleep(5)' };
  await expect(database.query(slow)).rejects.toThrow(DatabaseUnavailable);
  const [row] = await database.query<{ one: number }>({ name: 'one', text: 'SELECT 1 AS one' });
  expect(row?.one).toBe(1);
  await database.close();
});

test('after a statement without an answer, the next one goes over a new connection', async () => {
  const url = await fleet();
  const proxy = await FailingProxy.to(cluster.port);
  const database = open(url.replace(`:${cluster.port}`, `:${proxy.port}`), {
    ...{ connections: 2, statementMilliseconds: 200, graceMilliseconds: 50 },
  });
  const one = { name: 'one', text: 'SELECT 1 AS one' };
  await Promise.all([database.query(one), database.query(one)]);
  expect(proxy.connections).toBe(2);
  proxy.silence();
  await expect(database.query(one)).rejects.toThrow(DatabaseUnavailable);
  expect(await database.query(one)).toEqual([{ one: 1 }]);
  await proxy.close();
  await database.close();
});

test('more statements than may wait fail at once', async () => {
  const database = open(await fleet(), { connections: 1, waiting: 3 });
  const one = { name: 'one', text: 'SELECT 1 AS one' };
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => database.query(one)));
  const refused = results.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(10);
  await database.close();
});

test('the history of an outage is written afterwards, and what is too much is dropped and counted', async () => {
  const url = await fleet();
  const database = open(url);
  const history = new History({ database, log: silent, waiting: 20 });
  const row = (kind: string) => ({ serial: first, at: new Date(), kind, data: { kind } });
  await cluster.stop();
  for (let count = 0; count < 30; count++) history.append('events', [row(`event ${count}`)]);
  expect(history.dropped).toBe(10);
  await cluster.start();
  await until(() => history.waiting === 0);
  const rows = await readHistory(database, 'events', { limit: 100 });
  expect(rows.map(({ kind }) => kind).toSorted()).toEqual(
    Array.from({ length: 20 }, (_, count) => `event ${count}`).toSorted(),
  );
  await history.close();
  await database.close();
});

test('all channels are heard over one connection, and again after it was cut', async () => {
  const url = await fleet();
  const database = open(url);
  const told = { one: 0, other: 0 };
  const endOne = database.listen('one', () => told.one++);
  database.listen('other', () => told.other++);
  await until(() => told.one === 1 && told.other === 1);
  const listening = `FROM pg_stat_activity WHERE datname = '${nameIn(url)}' AND query LIKE 'LISTEN%'`;
  expect(await cluster.sql(`SELECT count(*) ${listening}`)).toBe('1');
  await cluster.sql('NOTIFY one', nameIn(url));
  await until(() => told.one === 2);
  expect(told.other).toBe(1);
  await cluster.sql(`SELECT pg_terminate_backend(pid) ${listening}`);
  await until(() => told.one === 3 && told.other === 2);
  endOne();
  await cluster.sql('NOTIFY one; NOTIFY other', nameIn(url));
  await until(() => told.other === 3);
  expect(told.one).toBe(3);
  await database.close();
  await until(async () => (await cluster.sql(`SELECT count(*) ${listening}`)) === '0');
});

/** The scanners of which less is stored than was acknowledged. */
async function lost(
  database: Database,
  acknowledged: ReadonlyMap<string, number>,
): Promise<readonly string[]> {
  const rows = await database.query<{ serial: string; count: number }>(
    {
      name: 'counts',
      text: `SELECT serial, convert_from(content, 'UTF8')::integer AS count FROM azimuth.documents WHERE name = 'a.json'`,
    },
    [],
    { repeatFor: 30_000 },
  );
  const counts = new Map(rows.map(({ serial, count }) => [serial, count]));
  return [...acknowledged]
    .filter(([serial, count]) => (counts.get(serial) ?? 0) < count)
    .map(([serial]) => serial);
}
