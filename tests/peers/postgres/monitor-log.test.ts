import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Database } from '@azimuth/fleet/database';
import { type LogEntry, systemClock } from '@azimuth/monitor';
import {
  DatabaseLog,
  type DatabaseLogOptions,
  DatabaseReader,
  insertEntries,
  prepareLogTables,
} from '@azimuth/monitor/database';
import { KilledAppender } from '@azimuth/test-support/killed-appender';
import { PostgresCluster } from '@azimuth/test-support/postgres-cluster';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { nameIn, open } from './some-fleet.js';

let cluster: PostgresCluster;

beforeAll(async () => {
  cluster = await PostgresCluster.start();
});

afterAll(() => cluster.remove());

async function newFolder(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'azimuth-log-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  return join(parent, 'spool');
}

function told(text: string, at = Date.now()): LogEntry {
  return { kind: 'monitor', at, scanner: '', text };
}

/** A log in a database, and what it reports. */
async function opened(url: string, options: Partial<DatabaseLogOptions> = {}) {
  const reports: string[] = [];
  const log = await DatabaseLog.open({
    ...{ database: open(url), folder: await newFolder(), monitor: 'hall', keepDays: 400 },
    ...{ clock: systemClock, report: (text: string) => reports.push(text) },
    ...options,
  });
  return { log, reports };
}

async function textsIn(url: string, query = {}): Promise<readonly string[]> {
  const database = open(url);
  const texts: string[] = [];
  for await (const entry of new DatabaseReader(database).next(query))
    texts.push(entry.kind === 'monitor' ? entry.text : entry.kind);
  await database.close();
  return texts;
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `${from + index}`);

test('entries reach the database in their order, and are found by time, kind and number', async () => {
  const url = await cluster.database();
  const { log } = await opened(url);
  const start = Date.now();
  await Promise.all(numbers(0, 2500).map((text, index) => log.append(told(text, start + index))));
  const hostile = '\u0000\ud800 \u001b[2J';
  await log.append({
    ...{ kind: 'value', at: start + 5000, scanner: hostile, name: 'x', before: { [hostile]: hostile } },
    after: JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`),
  });
  await log.close();
  expect(log.counts).toEqual({ stored: 2501, waiting: 0, lost: 0 });
  expect(await textsIn(url)).toEqual([...numbers(0, 2500), 'value']);
  expect(await textsIn(url, { limit: 2, kinds: ['monitor'] })).toEqual(['2498', '2499']);
  expect(await textsIn(url, { since: start + 10, until: start + 12 })).toEqual(['10', '11', '12']);
  expect(await textsIn(url, { condition: 'x', parameter: 'y' })).toEqual([]);
});

test('several monitors write to one database; each reads its own entries, and those of commands', async () => {
  const url = await cluster.database();
  const [hall, yard] = await Promise.all([opened(url), opened(url, { monitor: 'yard' })]);
  await Promise.all([hall.log.append(told('of hall')), yard.log.append(told('of yard'))]);
  const database = open(url);
  onTestFinished(() => database.close());
  const author = { by: 'anna@desk7', command: 'set' };
  await insertEntries(database, '', [
    { kind: 'command', at: Date.now(), scanner: 'gate3', author, wrote: ['A'], outcome: 'done' },
  ]);
  await expect.poll(async () => (await textsIn(url)).length).toBe(3);
  const own: string[] = [];
  for await (const entry of hall.log.read({})) own.push(entry.kind);
  expect(own.sort()).toEqual(['command', 'monitor']);
  await Promise.all([hall.log.close(), yard.log.close()]);
});

test('a reader that follows gets each entry once, also of transactions that commit late', async () => {
  const url = await cluster.database();
  const database = open(url);
  onTestFinished(() => database.close());
  await prepareLogTables(database);
  const reader = new DatabaseReader(database);
  const next = async () => {
    const texts: string[] = [];
    for await (const entry of reader.next({})) if (entry.kind === 'monitor') texts.push(entry.text);
    return texts;
  };
  await insertEntries(database, 'a', [told('one')]);
  expect(await next()).toEqual(['one']);
  await database.transaction(async (run) => {
    await run(`INSERT INTO azimuth_log.entries (id, monitor, at, kind, scanner, entry)
      VALUES ('late', 'a', now(), 'monitor', '', '{"id":"late","kind":"monitor","at":1,"scanner":"","text":"late"}')`);
    await insertEntries(database, 'a', [told('two')]);
    expect(await next()).toEqual(['two']);
    expect(await next()).toEqual([]);
  });
  expect(await next()).toEqual(['late']);
  expect(await next()).toEqual([]);
});

test('nothing is lost and nothing is there twice when the database is killed again and again', async () => {
  const url = await cluster.database();
  const folder = await newFolder();
  const { log, reports } = await opened(url, { folder });
  let appended = 0;
  for (let round = 0; round < 3; round++) {
    const writing = (async () => {
      for (const text of numbers(round * 300, round * 300 + 300)) {
        await log.append(told(text));
        appended += 1;
        if (appended % 50 === 0) await wait(20);
      }
    })();
    await wait(30);
    await cluster.stop('immediate');
    await writing;
    await cluster.start();
  }
  await expect.poll(() => log.counts.waiting).toBe(0);
  await log.close();
  expect((await textsIn(url)).toSorted((one, other) => Number(one) - Number(other))).toEqual(numbers(0, 900));
  expect(reports.filter((text) => text.includes('is tried again')).length).toBeGreaterThanOrEqual(1);
  expect(reports.at(-1)).toMatch(/has the log again$/);
});

test('what an earlier process has not sent is sent at the next start, once', async () => {
  const url = await cluster.database();
  const folder = await newFolder();
  const { log } = await opened(url, { folder });
  await log.append(told('sent'));
  await expect.poll(() => log.counts.waiting).toBe(0);
  await cluster.stop('immediate');
  await log.append(told('unsent'));
  expect(() => log.read({})).not.toThrow();
  await expect.poll(() => readable(log)).toBe(false);
  await log.close();
  await cluster.start();
  const again = await opened(url, { folder });
  const read: string[] = [];
  for await (const entry of again.log.read({})) if (entry.kind === 'monitor') read.push(entry.text);
  expect(read).toEqual(['sent', 'unsent']);
  await again.log.close();
  expect(await readdir(folder)).toHaveLength(1);
});

function readable(log: DatabaseLog): boolean {
  try {
    log.read({});
    return true;
  } catch {
    return false;
  }
}

test('a bound of bytes may wait on disk; further entries are refused and counted', async () => {
  const url = await cluster.database();
  const { log } = await opened(url, { spoolBytes: 250 });
  await cluster.stop('immediate');
  const results = await Promise.all(
    numbers(0, 3).map(async (text) => {
      await wait(Number(text) * 50);
      return log.append(told(text)).then(() => 'stored', String);
    }),
  );
  await cluster.start();
  expect(results).toEqual([
    'stored',
    'stored',
    expect.stringMatching(/^NotStored: .* is away, and 250 bytes/),
  ]);
  expect(log.counts.lost).toBe(1);
  await log.close();
});

test('roles: a reader reads, commands add, monitors remove what is old, and nobody changes an entry', async () => {
  const url = await cluster.database();
  const name = nameIn(url);
  const { log } = await opened(url);
  await log.append(told('old', Date.now() - 500 * 86_400_000));
  await log.append(told('new'));
  await log.close();
  for (const role of ['reader', 'commands', 'monitor'])
    await cluster.sql(`CREATE ROLE some_${role} LOGIN IN ROLE azimuth_log_${role}`);
  const as = (role: string) => {
    const database = new Database({
      ...{ url: cluster.url(name, `some_${role}`), program: 'test', connections: 1 },
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
    onTestFinished(() => database.close());
    return database;
  };
  expect(await textsIn(cluster.url(name, 'some_reader'))).toEqual(['old', 'new']);
  await expect(insertEntries(as('reader'), '', [told('x')])).rejects.toThrow('permission denied');
  await insertEntries(as('commands'), '', [told('added')]);
  for (const role of ['reader', 'commands', 'monitor'])
    for (const change of ['DELETE FROM azimuth_log.entries', "UPDATE azimuth_log.entries SET scanner = ''"])
      await expect(as(role).query({ name: 'change', text: change })).rejects.toThrow('permission denied');
  const removing = await opened(cluster.url(name, 'some_monitor'));
  await expect.poll(() => textsIn(url)).toEqual(['new', 'added']);
  await removing.log.close();
});

test('kills of the monitor and of the database lose nothing that was acknowledged, and repeat nothing', async () => {
  const url = await cluster.database();
  const folder = await newFolder();
  const appender = await KilledAppender.create(folder, url);
  const random = new SeededRandom('kills of a monitor and its database');
  for (let kill = 0; kill < 9; kill++) {
    let stopped = Promise.resolve();
    const isKilledToo = kill % 3 === 2;
    await appender.run(random.between(1, 400), () => {
      if (isKilledToo) stopped = cluster.stop('immediate');
    });
    await stopped;
    if (isKilledToo) await cluster.start();
  }
  const { log } = await opened(url, { folder });
  await log.append(told('last'));
  await expect.poll(() => log.counts.waiting).toBe(0);
  await log.close();
  const found = await textsIn(url);
  const distinct = new Set(found);
  expect(appender.acknowledged.filter((text) => !distinct.has(text))).toEqual([]);
  expect(distinct.size).toBe(found.length);
  expect(found).toContain('last');
  expect(appender.acknowledged.length).toBeGreaterThan(300);
});
