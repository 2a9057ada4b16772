import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { Scanner } from '@azimuth/client';
import { issue, keyPem } from '@azimuth/test-support/certificates';
import { listening } from '@azimuth/test-support/listening';
import { scannerFacts, someFleet } from '@azimuth/test-support/some-fleet';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';

const anyPorts = { host: '127.0.0.1', http: 0, https: 0, legacyA: 0, legacyB: 0 };

async function own(count = 2) {
  const some = await someFleet(
    scannerFacts(count, () => ({ ports: anyPorts, parameters: { LocationName: 'Hall' } })),
  );
  const portsOf = (serial: string) => {
    const { http, legacyA } = some.fleet.scanners.get(serial)?.ports ?? {};
    if (typeof http !== 'number' || typeof legacyA !== 'number') throw new Error('it has no ports');
    return { http, legacyA, url: `http://127.0.0.1:${http}` };
  };
  return { ...some, portsOf };
}

test('the first connection starts the scanner, and is answered', async () => {
  const { fleet, portsOf } = await own();
  const { url } = portsOf('1');
  expect(await new Scanner({ url }).read('SerialNumber')).toBe('1');
  expect(fleet.states).toMatchObject({ idle: 1, running: 1 });
  expect(portsOf('1').url).toBe(url);
});

test('many first connections at the same time are all answered, with the delivered parameters', async () => {
  const { portsOf } = await own();
  const { url } = portsOf('1');
  const names = await Promise.all(
    Array.from({ length: 40 }, () => new Scanner({ url }).read('LocationName')),
  );
  expect(new Set(names)).toEqual(new Set(['Hall']));
});

test('a connection of the legacy protocol starts it, too', async () => {
  const { fleet, portsOf } = await own();
  const socket = connect(portsOf('2').legacyA, '127.0.0.1');
  socket.write('\u0002sRN LocationName\u0003');
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toBe('\u0002sRA LocationName 4 Hall\u0003');
  socket.destroy();
  expect(fleet.states).toMatchObject({ idle: 1, running: 1 });
});

test('it keeps its ports over a reboot and a power cycle, and nobody listens while it is off', async () => {
  const { fleet, portsOf } = await own();
  const { url } = portsOf('1');
  const scanner = new Scanner({ url, password: 'servicelevel' });
  await scanner.call('RebootDevice');
  await scanner.rebooted();
  await fleet.switchOff(fleet.virtualMatching('1'));
  await expect(scanner.read('SerialNumber')).rejects.toThrow('ECONNREFUSED');
  await fleet.switchOn(fleet.virtualMatching('1'));
  expect(portsOf('1').url).toBe(url);
  expect(await scanner.read('PowerOnCnt')).toBe(2);
});

test('requests by its own ports count, over a power cycle, too', async () => {
  const { fleet, url: fleetUrl, portsOf } = await own();
  const [scanner] = fleet.virtualMatching('1');
  await new Scanner({ url: portsOf('1').url }).read('SerialNumber');
  await new Scanner({ url: `${fleetUrl}/scanners/1` }).read('SerialNumber');
  expect(scanner?.requests).toBe(2);
  await fleet.powerCycle(fleet.virtualMatching('1'));
  expect(scanner?.requests).toBe(2);
  await new Scanner({ url: portsOf('1').url }).read('SerialNumber');
  expect(scanner?.requests).toBe(3);
  expect(scanner?.ports.https).toBeGreaterThan(0);
});

test('an interface that is switched off is closed as soon as the scanner runs', async () => {
  const some = await someFleet(
    scannerFacts(1, () => ({ ports: anyPorts, parameters: { EtherAuxEnabled: false } })),
  );
  const { http, legacyA } = some.fleet.scanners.get('1')?.ports ?? {};
  await new Scanner({ url: `http://127.0.0.1:${http}` }).read('SerialNumber');
  const socket = connect(Number(legacyA), '127.0.0.1');
  const [error] = await once(socket, 'error');
  expect(String(error)).toContain('ECONNREFUSED');
});

test('a scanner whose port was taken while it was off has failed, and all others are on', async () => {
  const { fleet, portsOf } = await own(3);
  const { http } = portsOf('2');
  await fleet.switchOff(fleet.virtualMatching('*'));
  const other = createServer().listen(http, '127.0.0.1');
  await once(other, 'listening');
  expect(await fleet.switchOn(fleet.virtualMatching('*'))).toEqual({
    changed: 2,
    failed: [{ serialNumber: '2', reason: expect.stringContaining(`Port ${http} on 127.0.0.1 is in use`) }],
  });
  expect(fleet.states).toEqual({ off: 0, idle: 2, running: 0, failed: 1 });
  expect(fleet.scanners.get('2')?.failure).toBe(`Port ${http} on 127.0.0.1 is in use`);
  other.close();
  await once(other, 'close');
  await fleet.switchOn(fleet.virtualMatching('2'));
  expect(await new Scanner({ url: portsOf('2').url }).read('SerialNumber')).toBe('2');
});

test('a fleet does not start if a port is taken', async () => {
  const http = await listening(createServer());
  await expect(someFleet(scannerFacts(2, () => ({ ports: { ...anyPorts, http } })))).rejects.toThrow(
    'is in use',
  );
});

test('HTTPS by a port of its own is there from each power-on on, once it has certificates', async () => {
  const { fleet, portsOf } = await own();
  const [scanner] = fleet.virtualMatching('1');
  const issued = issue({ names: ['127.0.0.1'] });
  const client = new Scanner({ url: portsOf('1').url, password: 'servicelevel' });
  await client.setCertificates({
    certificates: issued.certificate,
    privateKey: keyPem(issued.keys),
  });
  await fleet.powerCycle(fleet.virtualMatching('*'));
  await until(() => scanner?.state === 'running');
  const { https } = scanner?.ports ?? {};
  const socket = connectSecurely({ port: Number(https), host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  socket.destroy();
  // The other one is idle until somebody needs it.
  expect(fleet.virtualMatching('*').map(({ startsAtPowerOn }) => startsAtPowerOn)).toEqual([true, false]);
});
