import { Scanner } from '@azimuth/client';
import { Fleet, FleetPort } from '@azimuth/fleet';
import { readyScene } from '@azimuth/simulation/world';
import { PostgresCluster } from '@azimuth/test-support/postgres-cluster';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fleetIn, nameIn, SomeWorker, serialsFrom, silent } from './some-fleet.js';

let cluster: PostgresCluster;

beforeAll(async () => {
  cluster = await PostgresCluster.start();
});

afterAll(() => cluster.remove());

const serials = serialsFrom(23_000_001, 6);
const [first = '', second = ''] = serials;
const scene = readyScene('empty-room');
const password = 'servicelevel';

interface Running {
  readonly worker: SomeWorker;
  readonly url: (serial: string) => string;
  end(): Promise<void>;
}

/** A process that has the leases of a fleet, and runs it. */
async function running(database: string, patience = 0): Promise<Running> {
  const worker = await SomeWorker.on(database, { patience });
  const fleet = await Fleet.start({
    scanners: serials.map((serial, seed) => ({
      ...{ serial, group: 'hall', variant: 'full', scene, seed, parameters: {} },
    })),
    store: worker.store,
    log: silent,
    maxConnections: 64,
    bootMilliseconds: 100,
  });
  const fleetPort = new FleetPort({ host: '127.0.0.1', port: 0, maxConnections: 1000 });
  const url = await fleetPort.open();
  fleetPort.serve(fleet);
  return {
    worker,
    url: (serial) => `${url}/scanners/${serial}`,
    async end() {
      fleetPort.close();
      await fleet.close();
      await worker.database.close();
    },
  };
}

/** Another process may take all leases. */
async function expire(url: string): Promise<void> {
  await cluster.sql('UPDATE azimuth.shards SET expires_at = clock_timestamp()', nameIn(url));
}

test('a takeover looks like a power cut: what was saved is there, the rest is gone, and power-ons count', async () => {
  const database = await fleetIn(cluster, serials);
  const one = await running(database);
  const scanner = new Scanner({ url: one.url(first), password });
  expect(await scanner.read('PowerOnCnt')).toBe(1);
  await scanner.write('LocationName', 'saved');
  await scanner.call('WriteEeprom');
  await scanner.write('LocationName', 'not saved');
  await expire(database);

  const other = await running(database);
  const again = new Scanner({ url: other.url(first), password });
  expect(await again.read('LocationName')).toBe('saved');
  expect(await again.read('PowerOnCnt')).toBe(2);
  // Nobody needed it so far.
  expect(await new Scanner({ url: other.url(second) }).read('PowerOnCnt')).toBe(2);

  // The process of before has only been paused. It is told that it saves nothing any more.
  await expect(scanner.call('WriteEeprom')).rejects.toThrow('another process runs this scanner now');
  expect(await scanner.read('LocationName')).toBe('not saved');
  await again.write('LocationName', 'saved by the next owner');
  await again.call('WriteEeprom');
  await one.end();
  await other.end();

  await expire(database);
  const last = await running(database);
  expect(await new Scanner({ url: last.url(first) }).read('LocationName')).toBe('saved by the next owner');
  await last.end();
});

test('while the database is away, reads go on and saves say why, without a name of a machine', async () => {
  const database = await fleetIn(cluster, serials);
  const one = await running(database);
  const scanner = new Scanner({ url: one.url(first), password });
  await scanner.write('LocationName', 'saved');
  await scanner.call('WriteEeprom');
  await cluster.stop();
  await scanner.write('LocationName', 'later');
  const failure = await scanner.call('WriteEeprom').catch((error: unknown) => error);
  expect(String(failure)).toContain('the database does not answer');
  expect(String(failure)).not.toContain('127.0.0.1');
  expect(await scanner.read('LocationName')).toBe('later');
  // A scanner that does not run yet does not start with values of the factory.
  await expect(new Scanner({ url: one.url(second) }).read('LocationName')).rejects.toThrow();

  await cluster.start();
  await scanner.call('WriteEeprom');
  expect(await new Scanner({ url: one.url(second) }).read('PowerOnCnt')).toBe(1);
  await one.end();
  await expire(database);
  const next = await running(database);
  expect(await new Scanner({ url: next.url(first) }).read('LocationName')).toBe('later');
  await next.end();
});

test('a scanner whose secrets were sealed with another key admits nobody, and nothing of it is set aside', async () => {
  const database = await fleetIn(cluster, serials);
  const one = await running(database);
  const scanner = new Scanner({ url: one.url(first), password });
  await scanner.changePassword('Service', password, 'another password');
  await one.end();
  await cluster.sql(
    `UPDATE azimuth.documents SET content = set_byte(content, 40, 1 - get_byte(content, 40) % 2) WHERE secret`,
    nameIn(database),
  );
  await expire(database);
  const next = await running(database);
  const locked = new Scanner({ url: next.url(first), password: 'another password' });
  expect(await locked.read('DeviceStatus')).toBe(7);
  await expect(locked.write('LocationName', 'x')).rejects.toThrow('Access Denied');
  const factory = new Scanner({ url: next.url(first), password });
  await expect(factory.write('LocationName', 'x')).rejects.toThrow('Access Denied');
  expect(await new Scanner({ url: next.url(second) }).read('PowerOnCnt')).toBe(2);
  await next.end();
  const names = await cluster.sql(
    `SELECT count(*) FROM azimuth.documents WHERE serial = '${first}' AND name LIKE '%unreadable%'`,
    nameIn(database),
  );
  expect(names).toBe('0');
});
