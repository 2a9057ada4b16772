import { prometheusText } from '@azimuth/http';
import { expect, test } from 'vitest';
import { workerMetrics } from '../../src/worker/worker-reports.js';

const store = { saves: 5, refusedSaves: 1 };

test('the metrics of a worker without a lease leave out when its leases end', async () => {
  expect(await prometheusText(workerMetrics({ shards: 2, remaining: 7500, store }))).toContain(
    '\nazimuth_worker_lease_seconds 7.5\n',
  );
  const without = await prometheusText(workerMetrics({ shards: 0, remaining: undefined, store }));
  expect(without).not.toContain('azimuth_worker_lease_seconds');
  expect(without).toContain('\nazimuth_worker_shards 0\n');
});
