import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { azimuth } from '@azimuth/test-support/command-process';
import { temporaryFolder } from '@azimuth/test-support/files';
import { FleetProcess } from '@azimuth/test-support/fleet-process';
import { array, string } from '@azimuth/test-support/json';
import { PostgresCluster, postgresPrograms } from '@azimuth/test-support/postgres-cluster';
import { until } from '@azimuth/test-support/waiting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Cluster, variableOf } from '../../deploy/cluster/cluster.js';
import { resources } from '../../deploy/documents.js';
import { key, nameIn } from './some-fleet.js';

let cluster: PostgresCluster;

beforeAll(async () => {
  cluster = await PostgresCluster.start();
});

afterAll(() => cluster.remove());

const { pods } = new Cluster(resources());

/** Runs the program of a job of deploy/kubernetes here. */
async function run(job: string, environment: Readonly<Record<string, string>>) {
  const [container] = pods.find(({ owner }) => owner.name === job)?.containers ?? [];
  if (container === undefined) throw new Error(`there is no job ${job}`);
  const [program = '', ...words] = [...array(container.command), ...array(container.args)].map(string);
  expect(variableOf(container, 'BACKUPS')).toBe('/backups');
  const PATH = [postgresPrograms(), process.env.PATH].join(delimiter);
  const child = spawn(program, words, { env: { PATH, ...environment } });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { stdout, stderr, code: Number(code) };
}

/** A database of its own, with the users that deploy/kubernetes has: the owner of the tables may not create roles. */
async function owned() {
  const name = nameIn(await cluster.database());
  await cluster.sql(`DO $$ BEGIN
    CREATE ROLE owner LOGIN; CREATE ROLE worker LOGIN; CREATE ROLE gateway LOGIN;
    CREATE ROLE azimuth_worker; CREATE ROLE azimuth_gateway; CREATE ROLE azimuth_reader;
    GRANT azimuth_worker TO worker; GRANT azimuth_gateway TO gateway;
  EXCEPTION WHEN duplicate_object THEN NULL; END $$`);
  await cluster.sql(`ALTER DATABASE ${name} OWNER TO owner`);
  const as = (user: string) => ({ AZIMUTH_STORE: cluster.url(name, user), AZIMUTH_FLEET_KEY: key });
  return { name, as };
}

async function scannerOf(as: (user: string) => Readonly<Record<string, string>>) {
  const worker = await FleetProcess.worker(as('worker'), '--lease', '2');
  const gateway = await FleetProcess.gateway(as('gateway'));
  await until(async () => (await fetch(`${gateway.url}/scanners/230001/api/SerialNumber`)).ok, 60_000);
  const scanner = gateway.scanner('230001');
  const end = async () => {
    await worker.end('SIGTERM');
    await gateway.end('SIGTERM');
  };
  const save = async (name: string) => {
    await scanner.write('LocationName', name);
    await scanner.call('WriteEeprom');
  };
  return { scanner, save, end };
}

test('a backup brings back what scanners had saved, with the rights of all programs', async () => {
  const { name, as } = await owned();
  const file = join(temporaryFolder(), 'fleet.yaml');
  writeFileSync(file, 'groups: {hall: {count: 2, serial: "23####"}}');
  for (const words of [['migrate'], ['apply', file]])
    expect((await azimuth(['fleet', ...words], undefined, as('owner'))).code).toBe(0);
  const first = await scannerOf(as);
  await first.save('in the backup');

  const backups = temporaryFolder();
  const environment = { ...as('owner'), BACKUPS: backups };
  expect(await run('azimuth-backup', environment)).toEqual({ stdout: '', stderr: '', code: 0 });
  const [dump = '', ...others] = readdirSync(backups);
  expect(dump).toMatch(/^azimuth-\d{4}-\d\d-\d\dT\d{6}Z\.dump$/);
  expect(others).toEqual([]);
  await first.save('later');
  await first.end();

  const restored = await run('azimuth-restore', environment);
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining(`${dump} is restored`) });
  // The rights come with the job that runs after it.
  expect((await azimuth(['fleet', 'migrate'], undefined, as('owner'))).code).toBe(0);
  const second = await scannerOf(as);
  expect(await second.scanner.read('LocationName')).toBe('in the backup');
  await second.save('after the restore');
  await second.end();

  const again = await run('azimuth-restore', { ...environment, BACKUP: dump });
  expect(again.code).not.toBe(0);
  expect(again.stderr).toContain('azimuth_before_restore');
  expect(await cluster.sql(`SELECT count(*) FROM azimuth_before_restore.documents`, name)).not.toBe('0');
});

test('a file that is none changes nothing', async () => {
  const { name, as } = await owned();
  expect((await azimuth(['fleet', 'migrate'], undefined, as('owner'))).code).toBe(0);
  const backups = temporaryFolder();
  writeFileSync(join(backups, 'azimuth-2026-01-01T000000Z.dump'), 'no dump');
  const environment = { ...as('owner'), BACKUPS: backups };
  expect((await run('azimuth-restore', environment)).code).not.toBe(0);
  expect(await cluster.sql('SELECT count(*) FROM azimuth.shards', name)).toBe('128');
  // One with a list that is whole, and data that are not.
  expect((await run('azimuth-backup', environment)).code).toBe(0);
  const [dump = ''] = readdirSync(backups).toSorted().reverse();
  const whole = readFileSync(join(backups, dump));
  writeFileSync(join(backups, 'torn.dump'), whole.fill(0xff, whole.length - 300));
  const listed = spawn(join(postgresPrograms() ?? '', 'pg_restore'), ['--list', join(backups, 'torn.dump')]);
  listed.stdout.resume();
  expect(await once(listed, 'close')).toEqual([0, null]);
  const refused = await run('azimuth-restore', { ...environment, BACKUP: 'torn.dump' });
  expect(refused.code).not.toBe(0);
  expect(await cluster.sql('SELECT count(*) FROM azimuth.shards', name)).toBe('128');
  expect(await cluster.sql(`SELECT to_regnamespace('azimuth_before_restore') IS NULL`, name)).toBe('t');
});

test('backups of two weeks stay', async () => {
  const { as } = await owned();
  expect((await azimuth(['fleet', 'migrate'], undefined, as('owner'))).code).toBe(0);
  const backups = temporaryFolder();
  const dayAgo = (days: number) => Date.now() / 1000 - days * 86_400;
  for (const [file, days] of [
    ['azimuth-old.dump', 16],
    ['azimuth-young.dump', 13],
    ['azimuth-broken.dump.part', 16],
    ['notes.txt', 16],
  ] as const) {
    writeFileSync(join(backups, file), '');
    utimesSync(join(backups, file), dayAgo(days), dayAgo(days));
  }
  expect((await run('azimuth-backup', { ...as('owner'), BACKUPS: backups })).code).toBe(0);
  const left = readdirSync(backups).filter((file) => !/^azimuth-\d{4}/.test(file));
  expect(left.toSorted()).toEqual(['azimuth-young.dump', 'notes.txt']);
  // A backup that fails leaves no file that looks like one.
  const dumps = () => readdirSync(backups).filter((file) => file.endsWith('.dump'));
  const before = dumps();
  const failed = await run('azimuth-backup', {
    AZIMUTH_STORE: 'postgres://127.0.0.1:1/azimuth',
    BACKUPS: backups,
  });
  expect(failed.code).not.toBe(0);
  expect(dumps()).toEqual(before);
});
