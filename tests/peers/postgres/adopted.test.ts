import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Scanner, ScannerError } from '@azimuth/client';
import { acceptedSockets } from '@azimuth/test-support/accepted-sockets';
import { azimuth } from '@azimuth/test-support/command-process';
import { temporaryFolder } from '@azimuth/test-support/files';
import { FleetProcess } from '@azimuth/test-support/fleet-process';
import { array, object, parse } from '@azimuth/test-support/json';
import { PostgresCluster, postgresPrograms } from '@azimuth/test-support/postgres-cluster';
import { until } from '@azimuth/test-support/waiting';
import { startScanner, type TestScanner } from '@azimuth/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await PostgresCluster.start();
});
afterAll(() => cluster.remove());

const key = 'a key of the deployment';
const password = 'known to few';
const count = 8;

const serialOf = (index: number) => String(23_450_001 + index);

/** Scanners that have only what real ones have, with a password of their own. */
async function devices(): Promise<readonly TestScanner[]> {
  const started = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      startScanner({
        asDevice: true,
        clock: 'real',
        legacy: false,
        serial: serialOf(index),
        passwords: { Service: password },
      }),
    ),
  );
  onTestFinished(async () => {
    await Promise.all(started.map((scanner) => scanner.close()));
  });
  return started;
}

/** A database with a fleet of these scanners. */
async function fleetOf(scanners: readonly TestScanner[]) {
  const store = await cluster.database();
  const environment = { AZIMUTH_STORE: store, AZIMUTH_FLEET_KEY: key };
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'password'), `${password}\n`, { mode: 0o600 });
  const urls = Object.fromEntries(scanners.map(({ url }, index) => [serialOf(index), url]));
  const group = { urls, user: 'Service', 'password-file': 'password' };
  writeFileSync(join(folder, 'fleet.yaml'), JSON.stringify({ groups: { yard: group } }));
  expect(await azimuth(['fleet', 'migrate'], undefined, environment)).toMatchObject({ code: 0 });
  const applied = await azimuth(['fleet', 'apply', join(folder, 'fleet.yaml')], undefined, environment);
  expect(applied.stdout).toContain(`${count} scanners added`);
  return { environment };
}

/** How many watchers follow events of each scanner now: open connections that have registered. */
function watchersOf(scanners: readonly TestScanner[], sockets: readonly Socket[]): readonly number[] {
  return scanners.map(({ journal, ports }) => {
    const registered = new Set(
      journal.entries.flatMap((entry) => (entry.kind === 'registration' ? [entry.client] : [])),
    );
    const open = sockets.filter(({ destroyed, localPort }) => !destroyed && localPort === ports.http);
    return open.filter((one) => registered.has(`${one.remoteAddress}:${one.remotePort}`)).length;
  });
}

/** How many watchers have logged in at a scanner so far: each does so once. */
function loginsAt({ journal }: TestScanner): number {
  return journal.entries.filter((entry) => entry.kind === 'call' && entry.name === 'checkCredentials').length;
}

/** How many shards a worker runs, by its own count. */
async function shardsOf({ url }: FleetProcess): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^azimuth_worker_shards (\d+)$/m.exec(metrics)?.[1]);
}

async function listed({ url }: FleetProcess): Promise<readonly Record<string, unknown>[]> {
  return array(parse(await (await fetch(`${url}/scanners`)).text())).map(object);
}

async function untilAllOnline(gateway: FleetProcess): Promise<void> {
  await until(async () => {
    const states = (await listed(gateway)).map(({ state }) => state);
    return states.length === count && states.every((state) => state === 'online');
  }, 60_000);
}

const eachOnce = Array.from({ length: count }, () => 1);

test('each real scanner has one watcher, and another one when its worker is killed', async () => {
  const sockets = acceptedSockets();
  const scanners = await devices();
  const { environment } = await fleetOf(scanners);
  const gateway = await FleetProcess.gateway(environment);
  const killed = await FleetProcess.worker(environment, '--lease', '2');
  const other = await FleetProcess.worker(environment);
  await until(async () => (await shardsOf(killed)) === 64 && (await shardsOf(other)) === 64, 60_000);
  await untilAllOnline(gateway);
  await expect.poll(() => watchersOf(scanners, sockets)).toEqual(eachOnce);
  const logins = scanners.map(loginsAt);
  await killed.end('SIGKILL');
  const began = performance.now();
  await until(async () => (await shardsOf(other)) === 128, 30_000);
  await expect.poll(() => watchersOf(scanners, sockets)).toEqual(eachOnce);
  await untilAllOnline(gateway);
  // The lease, a look for ended leases, and registrations one after the other.
  expect(performance.now() - began).toBeLessThan(15_000);
  // Those of the other worker were not asked to log in again.
  const again = scanners.map((scanner, index) => loginsAt(scanner) - (logins[index] ?? 0));
  expect(new Set(again)).toEqual(new Set([0, 1]));
});

test('the gateway lists real scanners, and forwards requests with the login of the client', async () => {
  const scanners = await devices();
  const { environment } = await fleetOf(scanners);
  const gateway = await FleetProcess.gateway(environment);
  await FleetProcess.worker(environment);
  await untilAllOnline(gateway);
  expect((await listed(gateway))[0]).toMatchObject({
    ...{ serialNumber: serialOf(0), group: 'yard', isReal: true, deviceStatus: 3, location: 'not defined' },
  });
  const url = `${gateway.url}/scanners/${serialOf(0)}`;
  const client = new Scanner({ url, password });
  onTestFinished(() => client.close());
  await client.write('LocationName', 'Gate 3');
  expect(scanners.map((scanner) => scanner.read('LocationName')).slice(0, 2)).toEqual([
    'Gate 3',
    'not defined',
  ]);
  const stranger = new Scanner({ url, password: 'another one' });
  onTestFinished(() => stranger.close());
  await expect(stranger.write('LocationName', 'Gate 4')).rejects.toBeInstanceOf(ScannerError);
  for await (const { data } of client.events('DeviceStatus')) {
    expect(data).toBe(3);
    break;
  }
  const power = await fetch(`${gateway.url}/fleet/power`, {
    method: 'POST',
    body: JSON.stringify({ scanners: serialOf(0), power: 'off' }),
  });
  expect(await power.text()).toContain('this is a real scanner');
});

test('a dump of the database has no password of real scanners, in whatever form', async () => {
  const scanners = await devices();
  const { environment } = await fleetOf(scanners);
  const worker = await FleetProcess.worker(environment);
  await until(() => scanners.every((scanner) => loginsAt(scanner) === 1));
  expect(await worker.end('SIGTERM')).toBe(0);
  const dump = join(postgresPrograms() ?? '', 'pg_dump');
  const { stdout } = await promisify(execFile)(dump, [environment.AZIMUTH_STORE], { maxBuffer: 1e9 });
  expect(stdout).toContain(Buffer.from('sealed:').toString('hex'));
  const bytes = Buffer.from(password);
  for (const form of [password, bytes.toString('hex'), bytes.toString('base64').slice(0, 12)])
    expect(stdout + worker.log.text).not.toContain(form);
});
