import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkSchema, type Migration, migrate, migrations } from '@azimuth/fleet/database';
import { azimuth } from '@azimuth/test-support/command-process';
import { temporaryFolder } from '@azimuth/test-support/files';
import { FleetProcess } from '@azimuth/test-support/fleet-process';
import { PostgresCluster } from '@azimuth/test-support/postgres-cluster';
import { until } from '@azimuth/test-support/waiting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { key, nameIn, open } from './some-fleet.js';

let cluster: PostgresCluster;

beforeAll(async () => {
  cluster = await PostgresCluster.start();
});

afterAll(() => cluster.remove());

const now = migrations.length;

/** What a newer version adds: programs of this one do not know it. */
const expand: Migration = {
  number: now + 1,
  name: 'places of scanners',
  sql: `ALTER TABLE azimuth.documents ADD COLUMN place text NOT NULL DEFAULT 'hall';
    ALTER TABLE azimuth.scanners ADD COLUMN place text;
    CREATE TABLE azimuth.places (place text PRIMARY KEY);
    CREATE INDEX documents_by_place ON azimuth.documents (place)`,
  oldestProgram: now,
};

/** What the version after that takes away: programs of this one use it. */
const contract: Migration = {
  number: now + 2,
  name: 'no active documents',
  sql: 'ALTER TABLE azimuth.documents DROP COLUMN is_active',
  oldestProgram: now + 1,
};

/** A fleet of two scanners by programs of this version. */
async function fleet() {
  const url = await cluster.database();
  const environment = { AZIMUTH_STORE: url, AZIMUTH_FLEET_KEY: key };
  const file = join(temporaryFolder(), 'fleet.yaml');
  writeFileSync(file, 'groups: {hall: {count: 2, serial: "23####"}}');
  const run = (...words: readonly string[]) => azimuth(words, undefined, environment);
  expect((await run('fleet', 'migrate')).code).toBe(0);
  expect((await run('fleet', 'apply', file)).code).toBe(0);
  const start = async () => {
    const worker = await FleetProcess.worker(environment, '--lease', '2');
    const gateway = await FleetProcess.gateway(environment);
    const scanner = gateway.scanner('230001');
    await until(async () => (await fetch(`${gateway.url}/scanners/230001/api/SerialNumber`)).ok, 60_000);
    return { worker, gateway, scanner };
  };
  return { url, environment, run, file, start };
}

test('programs go on when the tables grow, and come back to grown tables after a rollback', async () => {
  const { url, run, file, start } = await fleet();
  const before = await start();
  await before.scanner.write('LocationName', 'before');
  await before.scanner.call('WriteEeprom');

  // The upgrade: its job comes first, while programs of this version run.
  const database = open(url);
  expect(await migrate(database, { list: [...migrations, expand] })).toMatchObject({
    applied: ['places of scanners'],
    version: now + 1,
  });
  await before.scanner.write('LocationName', 'between');
  await before.scanner.call('WriteEeprom');
  await before.worker.end('SIGTERM');
  await before.gateway.end('SIGTERM');

  // The rollback: job, workers and gateways of this version again.
  const migrated = await run('fleet', 'migrate');
  expect(migrated).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`version ${now + 1}, 128 shards`),
  });
  expect((await run('fleet', 'apply', file)).code).toBe(0);
  const after = await start();
  expect(await after.scanner.read('LocationName')).toBe('between');
  await after.scanner.write('LocationName', 'after');
  await after.scanner.call('WriteEeprom');
  expect(await cluster.sql('SELECT DISTINCT place FROM azimuth.documents', nameIn(url))).toBe('hall');

  // And forth again: nothing is applied twice.
  expect(await migrate(database, { list: [...migrations, expand] })).toMatchObject({ applied: [] });
  await database.close();
});

test('programs refuse tables that lack what they use, and say which version they need', async () => {
  const { url, run } = await fleet();
  const database = open(url);
  await migrate(database, { list: [...migrations, expand] });
  await checkSchema(database);
  await migrate(database, { list: [...migrations, expand, contract] });
  const why = `tables of version ${now + 2}, which need a program that knows version ${now + 1}, and this program knows only version ${now}: use a newer Azimuth`;
  await expect(checkSchema(database)).rejects.toThrow(why);
  await expect(migrate(database)).rejects.toThrow(why);
  for (const words of [
    ['worker', '--port', '0'],
    ['gateway', '--port', '0'],
    ['fleet', 'migrate'],
  ]) {
    const { code, stderr } = await run(...words);
    expect(code, words.join(' ')).not.toBe(0);
    expect(stderr).toContain(why);
  }
  await database.close();
});

test('tables from before the versions of programs were stored suit as they are, and can be migrated', async () => {
  const { url } = await fleet();
  await cluster.sql('ALTER TABLE azimuth.migrations DROP COLUMN oldest_program', nameIn(url));
  const database = open(url);
  await checkSchema(database);
  expect(await migrate(database)).toMatchObject({ applied: [], version: now });
  expect(await migrate(database, { list: [...migrations, expand] })).toMatchObject({ version: now + 1 });
  await checkSchema(database);
  await database.close();
});
