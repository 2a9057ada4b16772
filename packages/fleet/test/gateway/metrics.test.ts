import { scannerFacts } from '@azimuth/test-support/some-fleet';
import { expect, test } from 'vitest';
import type { WorkerAddress } from '../../src/index.js';
import { gatewayTo, type SomeGateway, scannerOf, standIn, worker } from './gateway-and-workers.js';

test('the metrics of a gateway are the sums of its workers, or its own where workers have theirs', async () => {
  const [one, two] = [await worker(scannerFacts(1)), await worker(scannerFacts(2).slice(1))];
  const metrics = async ({ url }: SomeGateway) => (await fetch(`${url}/metrics`)).text();
  expect(await metrics(await gatewayTo([one, two], 2))).toContain(
    'azimuth_fleet_scanners{group="hall",state="idle"} 2',
  );
  const own = await gatewayTo([one, two], 2, { hasOwnMetrics: true, patience: 0 });
  own.owners.set('1', one);
  await scannerOf(own, '1').read('SerialNumber');
  await fetch(`${own.url}/scanners/2/api/SerialNumber`);
  const text = await metrics(own);
  expect(text).toContain('azimuth_gateway_requests_total 2\n');
  expect(text).toContain('azimuth_gateway_failures_total 1\n');
  expect(text).toContain('azimuth_gateway_scanners_waiting 1\n');
  expect(text).toContain('azimuth_gateway_unexpected_errors_total 0\n');
  expect(text).not.toContain('azimuth_fleet_scanners');
});

test('all samples of a metric stand together, and followers are those of the gateway', async () => {
  const [one, two] = [
    await worker(scannerFacts(1)),
    await worker(scannerFacts(2, () => ({ group: 'gate' })).slice(1)),
  ];
  const gateway = await gatewayTo([one, two], 2);
  const follower = new AbortController();
  await fetch(`${gateway.url}/fleet/events`, { signal: follower.signal });
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  follower.abort();
  expect(text).toContain(
    '{group="hall",state="idle"} 1\nazimuth_fleet_scanners{group="gate",state="idle"} 1\n',
  );
  expect(text).toContain('azimuth_fleet_event_followers 1\n');
  expect(text).not.toMatch(/\n\n/);
});

/** A worker that has counted this many requests, or that reports nothing. */
async function countingWorker(told: { requests: number | undefined }): Promise<WorkerAddress> {
  return standIn((_, response) => {
    if (told.requests === undefined) return;
    response.end(
      '# HELP azimuth_fleet_requests_total Of all.\n# TYPE azimuth_fleet_requests_total counter\n' +
        `azimuth_fleet_requests_total{group="hall"} ${told.requests}\nazimuth_fleet_scanners 1\n`,
    );
  });
}

async function countsOf({ url }: SomeGateway): Promise<readonly string[]> {
  const page = await (await fetch(`${url}/metrics`)).text();
  return page.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

const sum = (requests: number, scanners: number) => [
  `azimuth_fleet_requests_total{group="hall"} ${requests}`,
  `azimuth_fleet_scanners ${scanners}`,
];

test('the counters of a worker that is silent stay in the sums, and its other values do not', async () => {
  const told: { requests: number | undefined } = { requests: 5 };
  const gateway = await gatewayTo([await countingWorker({ requests: 7 }), await countingWorker(told)], 1);
  expect(await countsOf(gateway)).toEqual(sum(12, 2));
  told.requests = undefined;
  expect(await countsOf(gateway)).toEqual(sum(12, 1));
});

test('the counters of a worker that has ended, or started again, stay in the sums', async () => {
  const told: { requests: number | undefined } = { requests: 5 };
  const workers = [await countingWorker({ requests: 7 }), await countingWorker(told)];
  const gateway = await gatewayTo(workers, 1);
  expect(await countsOf(gateway)).toEqual(sum(12, 2));
  // A new process has the port of the old one.
  told.requests = 2;
  expect(await countsOf(gateway)).toEqual(sum(14, 2));
  const [ended] = workers.splice(0, 1);
  expect(await countsOf(gateway)).toEqual(sum(14, 1).toSorted());
  // A worker that returns at the same URL is another process.
  if (ended !== undefined) workers.push(ended);
  expect(await countsOf(gateway)).toEqual(sum(21, 2));
});
