import type { DeploymentKeys } from '@azimuth/fleet';
import { checkKeys, KeyMismatch, migrate, reseal } from '@azimuth/fleet/database';
import { StandaloneStorage, Worker } from '@azimuth/fleet/worker';
import { PostgresCluster } from '@azimuth/test-support/postgres-cluster';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nameIn, open, silent } from './some-fleet.js';

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await PostgresCluster.start();
});
afterAll(() => cluster.remove());

const old = 'a key of sixteen bytes or more';
const next = 'the next key of the deployment';
const secret = 'certificates.json';

async function tables(): Promise<string> {
  const url = await cluster.database();
  const database = open(url);
  await migrate(database);
  await database.close();
  return url;
}

/** Runs a scanner alone. @returns its secret document, and what its process has warned of. It is stored again */
async function run(url: string, ...keys: DeploymentKeys) {
  const warnings: string[] = [];
  const [database, forLease] = [open(url), open(url)];
  try {
    const storage = await StandaloneStorage.open({
      ...{ database, forLease, serial: '77000001', keys, leaseMilliseconds: 60_000, lost() {} },
      log: { ...silent, warn: (message) => void warnings.push(message) },
    });
    const found = await storage.read(secret);
    await storage.write(secret, Buffer.from('a private key'), { secret: true });
    await storage.close();
    return { found: found === undefined ? undefined : Buffer.from(found).toString(), warnings };
  } catch (error) {
    await Promise.all([database.close(), forLease.close()]);
    throw error;
  }
}

async function resealed(url: string, ...keys: DeploymentKeys): Promise<number> {
  const database = open(url);
  try {
    return (await reseal(database, keys)).changed;
  } finally {
    await database.close();
  }
}

test('the first process says which key is that of the deployment, and none with another key starts or seals', async () => {
  const url = await tables();
  expect(await run(url, old)).toEqual({ found: undefined, warnings: [] });
  await expect(run(url, next)).rejects.toThrow(KeyMismatch);
  await expect(run(url, next, 'a third key of the deployment')).rejects.toThrow('compare AZIMUTH_FLEET_KEY');
  await expect(resealed(url, next)).rejects.toThrow(KeyMismatch);
  const [database, forLeases] = [open(url), open(url)];
  const starting = Worker.start({
    ...{ database, forLeases, keys: [next], log: silent, url: 'http://127.0.0.1:1', capacity: 100 },
    ...{ leaseMilliseconds: 60_000, maxConnections: 64, bootMilliseconds: 100, read: async () => [] },
  });
  await expect(starting).rejects.toThrow(KeyMismatch);
  await Promise.all([database.close(), forLeases.close()]);
  // It has taken nothing.
  expect(await cluster.sql('SELECT count(*) FROM azimuth.epochs', nameIn(url))).toBe('1');
  expect(await run(url, old)).toEqual({ found: 'a private key', warnings: [] });
});

test('of two first processes with different keys, one starts', async () => {
  const database = open(await tables(), { connections: 2 });
  const keys = [old, next] as const;
  const checked = await Promise.allSettled(keys.map((key) => checkKeys(database, [key])));
  expect(checked.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  await database.close();
});

test('the key is changed in the documented order, and whoever comes too early or too late with one key does not start', async () => {
  const url = await tables();
  const found = 'a private key';
  const notYet = [expect.stringContaining('run azimuth fleet reseal')];
  await run(url, old);
  expect(await run(url, old, next)).toEqual({ found, warnings: [] });
  expect(await run(url, next, old)).toEqual({ found, warnings: notYet });
  await expect(run(url, next)).rejects.toThrow(KeyMismatch);
  expect(await run(url, old, next)).toEqual({ found, warnings: [] });
  expect(await resealed(url, next, old)).toBe(1);
  await expect(run(url, old)).rejects.toThrow(KeyMismatch);
  expect(await run(url, next, old)).toEqual({ found, warnings: [] });
  expect(await run(url, next)).toEqual({ found, warnings: [] });
  // And back again.
  expect(await run(url, old, next)).toEqual({ found, warnings: notYet });
  expect(await resealed(url, old, next)).toBe(0);
  expect(await run(url, old)).toEqual({ found, warnings: [] });
});
