import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { azimuth } from '@azimuth/test-support/command-process';
import { temporaryFolder } from '@azimuth/test-support/files';
import { FleetProcess } from '@azimuth/test-support/fleet-process';
import { PostgresCluster } from '@azimuth/test-support/postgres-cluster';
import { metricsProblems } from '@azimuth/test-support/promtool';
import { until } from '@azimuth/test-support/waiting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { key } from './some-fleet.js';

let cluster: PostgresCluster;

beforeAll(async () => {
  cluster = await PostgresCluster.start();
});

afterAll(() => cluster.remove());

test('promtool has nothing against the pages of workers and gateways, and their counters begin at 0', async () => {
  const environment = { AZIMUTH_STORE: await cluster.database(), AZIMUTH_FLEET_KEY: key };
  const file = join(temporaryFolder(), 'fleet.yaml');
  writeFileSync(file, 'groups: {hall: {count: 4, serial: "23####"}}');
  for (const words of [['migrate'], ['apply', file]])
    expect((await azimuth(['fleet', ...words], undefined, environment)).code).toBe(0);
  const gateway = await FleetProcess.gateway(environment);
  const worker = await FleetProcess.worker(environment);
  const metricsOf = async (process: FleetProcess) => (await fetch(`${process.url}/metrics`)).text();
  await until(async () => (await metricsOf(worker)).includes('azimuth_worker_shards 128\n'), 60_000);
  const [ofGateway, ofWorker] = [await metricsOf(gateway), await metricsOf(worker)];
  for (const name of [
    'azimuth_worker_refused_saves_total',
    'azimuth_fleet_unexpected_errors_total{where="timer"}',
  ])
    expect(ofWorker).toContain(`\n${name} 0`);
  for (const name of ['azimuth_gateway_failures_total', 'azimuth_gateway_unexpected_errors_total'])
    expect(ofGateway).toContain(`\n${name} 0`);
  expect(await metricsProblems(ofWorker)).toBe('');
  expect(await metricsProblems(ofGateway)).toBe('');
});
