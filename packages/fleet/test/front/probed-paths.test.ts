import { units } from '@azimuth/test-support/some-fleet';
import { expect, test } from 'vitest';
import { Cluster } from '../../../../tests/deploy/cluster/cluster.js';
import { askedPaths } from '../../../../tests/deploy/cluster/services.js';
import { variant } from '../../../../tests/deploy/kustomize.js';
import { gatewayTo, worker } from '../gateway/gateway-and-workers.js';

const cluster = new Cluster(variant(['monitoring']));

test('workers and gateways serve each path at which probes and Prometheus ask them', async () => {
  const one = await worker(units(1));
  const gateway = await gatewayTo([one], 1, { hasOwnMetrics: true });
  for (const [url, name] of [
    [one.url, 'azimuth-workers'],
    [gateway.url, 'azimuth-gateway'],
  ] as const) {
    const paths = askedPaths(cluster, cluster.server(name));
    expect(paths).toEqual(['/healthz', '/readyz', '/metrics']);
    for (const path of paths) expect((await fetch(`${url}${path}`)).status, `${name} ${path}`).toBe(200);
    // A worker tells nobody without the key more.
    expect((await fetch(`${url}/health`)).status).toBeGreaterThanOrEqual(400);
  }
});
