import { scannerFacts, someFleet } from '@azimuth/test-support/some-fleet';
import { expect, onTestFinished, test } from 'vitest';
import { FleetPort } from '../../src/index.js';
import { gatewayTo, key, standIn } from './gateway-and-workers.js';

test('of a page of the list, workers are asked for the scanners that are on it alone', async () => {
  const asked: (string | null)[] = [];
  const one = await standIn((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://worker').searchParams.get('serials'));
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]');
  });
  const gateway = await gatewayTo([one], 20);
  const serials = async (query: string) => {
    const listed: unknown = await (await fetch(`${gateway.url}/scanners${query}`)).json();
    return Array.isArray(listed) ? listed.map(({ serialNumber }) => serialNumber) : [];
  };
  expect(await serials('?from=3&limit=2')).toEqual(['4', '5']);
  expect(await serials('?q=1*&limit=2')).toEqual(['1', '10']);
  expect(asked).toEqual(['4,5', '1,10']);
  // Only workers know the states: they are asked for all.
  expect(await serials('?state=waiting&limit=1')).toEqual(['1']);
  expect(asked.at(-1)?.split(',')).toHaveLength(20);
});

test('a worker lists its scanners below the URL by which gateways know it', async () => {
  const { fleet } = await someFleet(scannerFacts(1));
  const url = 'http://worker.example:9000';
  const role = { key, advertised: () => url, owns: () => true, notReady: () => undefined, metrics: () => [] };
  const port = new FleetPort({ host: '127.0.0.1', port: 0, maxConnections: 10, worker: role });
  const own = await port.open();
  port.serve(fleet);
  onTestFinished(() => port.close());
  const headers = { 'azimuth-fleet': key.sign(url, 'GET', '/scanners') };
  const listed = await fetch(`${own}/scanners`, { headers });
  expect(await listed.json()).toMatchObject([{ url: `${url}/scanners/1` }]);
});

test('a gateway names scanners by the host by which it is asked', async () => {
  const gateway = await gatewayTo([], 1);
  const { port } = new URL(gateway.url);
  const listed = await fetch(`http://localhost:${port}/scanners`);
  expect(await listed.json()).toMatchObject([
    { state: 'waiting', url: `http://localhost:${port}/scanners/1` },
  ]);
});
