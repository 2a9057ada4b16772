import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Leases, type Worker } from '@azimuth/fleet/database';
import { azimuth } from '@azimuth/test-support/command-process';
import { temporaryFolder } from '@azimuth/test-support/files';
import { FleetProcess } from '@azimuth/test-support/fleet-process';
import { freePort } from '@azimuth/test-support/free-port';
import { PostgresCluster } from '@azimuth/test-support/postgres-cluster';
import { until } from '@azimuth/test-support/waiting';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { fleetIn, holding, nameIn, open, serialsFrom } from './some-fleet.js';

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await PostgresCluster.start();
});
afterAll(() => cluster.remove());

const milliseconds = 60_000;

/** A database with eight shards, and processes that listen at places. */
async function places() {
  const url = await fleetIn(cluster, serialsFrom(23_000_001, 12), 8);
  const database = open(url);
  onTestFinished(() => database.close());
  const at = (socketId?: string) => {
    const worker: Worker = { url: 'http://worker', capacity: 100, socketId };
    return new Leases(database, { milliseconds, worker });
  };
  return { url, at };
}

const shardsOf = (leases: readonly { readonly shard: number }[]) =>
  leases.map(({ shard }) => shard).toSorted((one, other) => one - other);

test('a process takes the leases of earlier ones of its socketId, and no others, though they are good', async () => {
  const { url, at } = await places();
  const [former, other, nowhere] = [at('a'), at('b'), at()];
  await former.acquire(3);
  await former.renew();
  await other.acquire(2);
  await nowhere.acquire(2);
  expect(await at('c').reclaim()).toEqual([]);
  expect(await at().reclaim()).toEqual([]);
  const next = at('a');
  expect(shardsOf(await next.reclaim())).toEqual(shardsOf(former.held));
  expect(await next.reclaim()).toEqual([]);
  // Whoever was paused after all has lost them, and counts no more.
  expect((await former.renew()).lost).toHaveLength(3);
  await next.renew();
  expect((await other.renew()).lost).toEqual([]);
  const workers = await cluster.sql(
    "SELECT owner FROM azimuth.workers WHERE owner LIKE '%@a' ORDER BY owner",
    nameIn(url),
  );
  expect(workers.split('\n')).toEqual([former.owner, next.owner].toSorted());
});

test('a shard that is locked is left for the next time', async () => {
  const { url, at } = await places();
  const former = at('a');
  await former.acquire(8);
  const lock = await holding(url, 'SELECT FROM azimuth.shards WHERE shard = 3 FOR KEY SHARE');
  const next = at('a');
  expect(shardsOf(await next.reclaim())).toEqual([0, 1, 2, 4, 5, 6, 7]);
  await lock.end();
  expect(shardsOf(await next.reclaim())).toEqual([3]);
});

test('a worker that is killed and started again runs its scanners at once, and one that is paused keeps them', async () => {
  const environment = {
    AZIMUTH_STORE: await cluster.database(),
    AZIMUTH_FLEET_KEY: 'a key of the deployment',
  };
  await azimuth(['fleet', 'migrate'], undefined, environment);
  const file = join(temporaryFolder(), 'fleet.yaml');
  writeFileSync(file, 'groups: {hall: {count: 4, serial: "23#"}}');
  await azimuth(['fleet', 'apply', file], undefined, environment);
  const port = String(await freePort());
  const words = ['--lease', '60', '--port', port];
  const first = await FleetProcess.worker(environment, ...words);
  const gateway = await FleetProcess.gateway(environment);
  const isRunBySomebody = async () =>
    (await (await fetch(`${gateway.url}/scanners?state=waiting`)).text()) === '[]\n';
  await until(isRunBySomebody);
  await gateway.scanner('231').write('LocationName', 'unsaved');
  first.child.kill('SIGSTOP');
  await expect(FleetProcess.worker(environment, ...words)).rejects.toThrow('is in use');
  first.child.kill('SIGCONT');
  expect(await gateway.scanner('231').read('LocationName')).toBe('unsaved');
  expect(await first.end('SIGKILL')).toBe('SIGKILL');
  const killed = performance.now();
  const next = await FleetProcess.worker(environment, ...words);
  expect(next.scanners).toBe(4);
  expect(next.log.text).not.toContain('same URL');
  expect(await gateway.scanner('231').read('LocationName')).not.toBe('unsaved');
  // A tenth of its lease.
  expect(performance.now() - killed).toBeLessThan(6000);
});

test('a worker that starts with the URL of one that lives warns of it, and one with a URL of its own does not', async () => {
  const environment = {
    AZIMUTH_STORE: await cluster.database(),
    AZIMUTH_FLEET_KEY: 'a key of the deployment',
  };
  await azimuth(['fleet', 'migrate'], undefined, environment);
  const first = await FleetProcess.worker(environment, '--advertise', 'http://127.0.0.1:9');
  const own = await FleetProcess.worker(environment);
  const second = await FleetProcess.worker(environment, '--advertise', 'http://127.0.0.1:9');
  await until(() => second.log.text.includes('same URL'));
  expect(await own.end('SIGTERM')).toBe(0);
  expect(await first.end('SIGTERM')).toBe(0);
  for (const { log } of [first, own]) expect(log.text).not.toContain('same URL');
  // Whoever has ended counts no more.
  expect(await second.end('SIGTERM')).toBe(0);
  const last = await FleetProcess.worker(environment, '--advertise', 'http://127.0.0.1:9');
  expect(await last.end('SIGTERM')).toBe(0);
  expect(last.log.text).not.toContain('same URL');
});
