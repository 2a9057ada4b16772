import { expect, test } from 'vitest';
import { units } from '../../../../tests/support/some-fleet.js';
import { gatewayTo, type SomeGateway, scannerOf, worker } from './gateway-and-workers.js';

test('the metrics of a gateway are the sums of its workers, or its own where workers have theirs', async () => {
  const [one, two] = [await worker(units(1)), await worker(units(2).slice(1))];
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
  const [one, two] = [await worker(units(1)), await worker(units(2, () => ({ group: 'gate' })).slice(1))];
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
