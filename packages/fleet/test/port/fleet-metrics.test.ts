import { Scanner } from '@azimuth/client';
import { prometheusText } from '@azimuth/http';
import { RawConnection } from '@azimuth/test-support/raw-connection';
import { type SomeFleet, scannerFacts, someFleet, urlOf } from '@azimuth/test-support/some-fleet';
import { latch, until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';
import type { Fleet } from '../../src/fleet.js';
import { FleetPort, GatewayKey } from '../../src/index.js';
import { fleetMetrics } from '../../src/port/fleet-metrics.js';

async function requestsOf({ url }: SomeFleet): Promise<readonly string[]> {
  const page = await (await fetch(`${url}/metrics`)).text();
  return page.split('\n').filter((line) => line.startsWith('azimuth_fleet_requests_total{'));
}

const counted = (hall: number, gate: number) => [
  `azimuth_fleet_requests_total{group="hall"} ${hall}`,
  `azimuth_fleet_requests_total{group="gate"} ${gate}`,
];

test('requests of scanners that were removed count on in their group, and those of scanners that come back are added', async () => {
  const facts = scannerFacts(3, (number) => ({ group: number === 3 ? 'gate' : 'hall' }));
  const some = await someFleet(facts);
  const ask = (serial: string) => new Scanner({ url: urlOf(some, serial) }).read('SerialNumber');
  for (const serial of ['1', '1', '2', '3']) await ask(serial);
  expect(await requestsOf(some)).toEqual(counted(3, 1));
  await some.fleet.remove(['1', '3']);
  expect((await requestsOf(some)).toSorted()).toEqual(counted(3, 1).toSorted());
  await some.fleet.add(facts.filter(({ serial }) => serial !== '2'));
  await ask('1');
  expect((await requestsOf(some)).toSorted()).toEqual(counted(4, 1).toSorted());
});

test('requests of a scanner count while it is being removed', async () => {
  const some = await someFleet(scannerFacts(1));
  await new Scanner({ url: urlOf(some, '1') }).read('SerialNumber');
  const goOn = latch();
  const [scanner] = some.fleet.scanners.values();
  if (scanner === undefined) throw new Error('there is one');
  const answered = scanner.responded.bind(scanner);
  scanner.responded = () => goOn.opened.then(answered);
  const removed = some.fleet.remove(['1'], new Promise(() => undefined));
  await until(() => some.fleet.scanners.size === 0);
  expect(await requestsOf(some)).toEqual(counted(1, 0).slice(0, 1));
  goOn.open();
  await removed;
  expect(await requestsOf(some)).toEqual(counted(1, 0).slice(0, 1));
});

const textOf = (fleet: Fleet) => prometheusText(fleetMetrics(fleet));

const errors = (where: string, count: number) =>
  `azimuth_fleet_unexpected_errors_total{where="${where}"} ${count}\n`;

test('errors inside scanners count in their fleet by where they came up, also once a scanner was removed', async () => {
  const { fleet } = await someFleet(scannerFacts(2));
  for (const where of ['streams', 'measuring', 'ptp'])
    expect(await textOf(fleet)).toContain(errors(where, 0));
  const [one, two] = await Promise.all([...fleet.scanners.values()].map((scanner) => scanner.started()));
  const fails = () => {
    throw new Error('out of order');
  };
  one?.device.errors.contain('streams', fails);
  two?.device.errors.contain('streams', fails);
  two?.device.errors.contain('ptp', fails);
  fleet.errors.contain('process', fails);
  await fleet.remove(['2']);
  const page = await textOf(fleet);
  expect(page).toContain(errors('streams', 2));
  expect(page).toContain(errors('ptp', 1));
  expect(page).toContain(errors('process', 1));
  expect(page).toContain(errors('measuring', 0));
  expect(one?.device.errors.counts.total).toBe(1);
});

test('a request to the port of a fleet that has waited, and then fails, counts as an error of HTTP', async () => {
  const { fleet } = await someFleet(scannerFacts(1));
  let asked = 0;
  const notReady = () => {
    asked++;
    if (asked === 2) throw new Error('out of order');
    return undefined;
  };
  const role = {
    key: new GatewayKey('a key of the deployment'),
    owns: () => true,
    notReady,
    metrics: () => [],
  };
  const fleetPort = new FleetPort({
    host: '127.0.0.1',
    port: 0,
    maxConnections: 10,
    freshFor: 0,
    worker: role,
  });
  const { port } = new URL(await fleetPort.open());
  onTestFinished(() => fleetPort.close());
  fleetPort.serve(fleet);
  expect(await textOf(fleet)).toContain(errors('http', 0));
  const connection = await RawConnection.open(Number(port));
  onTestFinished(() => connection.destroy());
  const probe = 'GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n';
  connection.write(probe + probe);
  expect((await connection.response()).body).toContain('ok');
  await until(() => fleet.errors.counts.of('http') > 0);
  expect(await textOf(fleet)).toContain(errors('http', 1));
});
