import { scannerFacts, someFleet } from '@azimuth/test-support/some-fleet';
import { expect, onTestFinished, test } from 'vitest';
import { FleetPort } from '../../src/index.js';
import { gatewayTo, key, standIn, worker } from './gateway-and-workers.js';

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

test('the pages of a gateway get the list of all workers, and of scanners without one', async () => {
  const one = await worker(scannerFacts(2, () => ({ parameters: { LocationName: 'Gate 3' } })));
  const silent = await standIn(() => undefined);
  const gateway = await gatewayTo([one, silent], 4);
  for (const serial of ['1', '2']) gateway.owners.set(serial, one);
  gateway.owners.set('3', silent);
  await fetch(`${gateway.url}/scanners/2/api/SerialNumber`);
  const listed = await fetch(`${gateway.url}/site`);
  expect(await listed.json()).toMatchObject({
    ...{ total: 4, matching: 4, severities: { bad: 2, warn: 0, idle: 0, good: 2 } },
    scanners: [
      { name: '3', state: 'Worker silent', trouble: ['its worker does not respond'] },
      { name: '4', state: 'No worker', trouble: ['no worker runs it now'] },
      { name: '1', state: 'On, not used', url: `${gateway.url}/scanners/1` },
      { name: 'Gate 3', state: 'Measuring', path: '/scanners/2' },
    ],
  });
});

test('what a worker says of a scanner is not believed beyond its form', async () => {
  const reports = [
    { serialNumber: '1', state: 'running', running: { deviceStatus: '3', location: 'Gate' } },
    { serialNumber: '2', state: 'running', running: { deviceStatus: 3, location: 'x'.repeat(1000) } },
    { serialNumber: '3', state: 'running', running: { deviceStatus: 99, location: '' }, failure: 7 },
  ];
  const one = await standIn((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(reports));
  });
  const gateway = await gatewayTo([one], 3);
  for (const { serialNumber } of reports) gateway.owners.set(serialNumber, one);
  expect(await (await fetch(`${gateway.url}/site?sort=name`)).json()).toMatchObject({
    scanners: [
      { name: '1', state: 'Running' },
      { name: '3', state: 'Not known yet', trouble: [] },
      { name: 'x'.repeat(64) },
    ],
  });
});
