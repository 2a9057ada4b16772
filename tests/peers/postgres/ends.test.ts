import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { busyClients } from '@azimuth/test-support/busy-clients';
import { azimuth } from '@azimuth/test-support/command-process';
import { temporaryFolder } from '@azimuth/test-support/files';
import { FleetProcess } from '@azimuth/test-support/fleet-process';
import { PostgresCluster } from '@azimuth/test-support/postgres-cluster';
import { until } from '@azimuth/test-support/waiting';
import { afterAll, beforeAll, expect, test } from 'vitest';

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await PostgresCluster.start();
});
afterAll(() => cluster.remove());

/** The environment of workers and gateways of a new fleet of four scanners. */
async function fleet(): Promise<Readonly<Record<string, string>>> {
  const environment = {
    AZIMUTH_STORE: await cluster.database(),
    AZIMUTH_FLEET_KEY: 'a key of the deployment',
  };
  await azimuth(['fleet', 'migrate'], undefined, environment);
  const file = join(temporaryFolder(), 'fleet.yaml');
  writeFileSync(file, 'groups: {hall: {count: 4, serial: "23#"}}');
  const applied = await azimuth(['fleet', 'apply', file], undefined, environment);
  expect(applied.stderr + applied.stdout).toContain('Version 1 of the fleet');
  return environment;
}

const scannersOf = ({ url }: FleetProcess) =>
  ['1', '2', '3', '4'].map((number) => `${url}/scanners/23${number}/api/LocationName`);

async function allRun(gateway: FleetProcess): Promise<void> {
  await until(
    async () => (await (await fetch(`${gateway.url}/scanners?state=waiting`)).text()) === '[]\n',
    60_000,
  );
}

const ends = 5;

test('a gateway that is ended breaks no request of 20 busy clients', async () => {
  const environment = await fleet();
  await FleetProcess.worker(environment);
  for (let round = 0; round < ends; round++) {
    const gateway = await FleetProcess.gateway(environment);
    await allRun(gateway);
    let ended: Promise<unknown> = Promise.resolve('not yet');
    const met = await busyClients(20, scannersOf(gateway), 300, () => {
      ended = gateway.end('SIGTERM');
    });
    expect(met).toMatchObject({ broken: [], refused: 0 });
    expect(met.served).toBeGreaterThan(320);
    expect(await ended).toBe(0);
  }
}, 600_000);

test('workers that are ended one after the other break no request of 20 busy clients', async () => {
  const environment = await fleet();
  const gateway = await FleetProcess.gateway(environment);
  let worker = await FleetProcess.worker(environment);
  await allRun(gateway);
  const replaceAll = async () => {
    for (let round = 0; round < ends; round++) {
      const next = await FleetProcess.worker(environment);
      expect(await worker.end('SIGTERM')).toBe(0);
      worker = next;
    }
    await gateway.end('SIGTERM');
  };
  let replaced: Promise<void> = Promise.resolve();
  const met = await busyClients(20, scannersOf(gateway), 300, () => {
    replaced = replaceAll();
  });
  await replaced;
  expect(met).toMatchObject({ broken: [], refused: 0 });
}, 600_000);
