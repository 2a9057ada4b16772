import { Gateway, GatewayKey, WorkerConnections } from '@azimuth/fleet';
import { gauge } from '@azimuth/http';
import { scannerFacts, someFleet } from '@azimuth/test-support/some-fleet';
import { expect, onTestFinished, test } from 'vitest';
import { Cluster } from './cluster/cluster.js';
import { askedPaths } from './cluster/services.js';
import { variant } from './kustomize.js';

const cluster = new Cluster(variant(['monitoring']));
const key = new GatewayKey('a key of the deployment');

async function workerUrl(): Promise<string> {
  const role = {
    key,
    owns: () => true,
    notReady: () => undefined,
    metrics: () => [gauge('azimuth_test', 'For a test.', 1)],
  };
  return (await someFleet(scannerFacts(1), { worker: role })).url;
}

async function gatewayUrl(worker: string): Promise<string> {
  const gateway = new Gateway({
    ...{ host: '127.0.0.1', port: 0, maxConnections: 10, freshFor: 0, patience: 2000 },
    hasOwnMetrics: true,
    routes: {
      scanners: new Map(),
      workers: [{ url: worker }],
      workerOf: () => undefined,
      refresh: async () => undefined,
    },
    connections: new WorkerConnections({ key }),
    log: { info() {}, warn() {}, error() {} },
  });
  onTestFinished(() => gateway.close());
  return gateway.open();
}

test('workers and gateways serve each path at which probes and Prometheus ask them', async () => {
  const worker = await workerUrl();
  for (const [url, name] of [
    [worker, 'azimuth-workers'],
    [await gatewayUrl(worker), 'azimuth-gateway'],
  ] as const) {
    const paths = askedPaths(cluster, cluster.server(name));
    expect(paths).toEqual(['/healthz', '/readyz', '/metrics']);
    for (const path of paths) expect((await fetch(`${url}${path}`)).status, `${name} ${path}`).toBe(200);
    // A worker tells nobody without the key more.
    expect((await fetch(`${url}/health`)).status).toBeGreaterThanOrEqual(400);
  }
});
