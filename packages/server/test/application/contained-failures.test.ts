import { Socket as DatagramSocket } from 'node:dgram';
import { once } from 'node:events';
import { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { Connections } from '@azimuth/http';
import { Client, statusOf } from '@azimuth/test-support/client';
import { freePort } from '@azimuth/test-support/free-port';
import { number } from '@azimuth/test-support/json';
import { RawConnection } from '@azimuth/test-support/raw-connection';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { EventClient } from '../events/client.js';
import { LegacyWire, textFrame } from '../legacy/legacy-wire.js';
import { Asker, searchFor } from '../search/searcher.js';
import { StreamingScanner, scan } from '../streams/scanner.js';

afterEach(() => {
  vi.restoreAllMocks();
});

const fails = (): never => {
  throw new Error('out of order');
};

/**
 * Checks that the scanner has logged one such error there, and goes on. An error that is not contained fails the test
 * run.
 */
async function expectTold(scanner: TestScanner, where: string): Promise<void> {
  await until(() => scanner.log.errors.length > 0);
  vi.restoreAllMocks();
  expect(scanner.log.errors.map(({ message, facts }) => [message, facts.where])).toEqual([
    ['Unexpected error inside the scanner; the scanner continues', where],
  ]);
  expect(String(scanner.log.errors[0]?.facts.reason)).toMatch(/out of order\n +at /);
  const client = scanner.client();
  expect(await client.value('DeviceStatus')).toBe(7);
  expect(statusOf(await client.write('LocationName', 'Gate 3'))).toBe(0);
  const metrics = await client.send({ method: 'GET', path: '/metrics' });
  expect(metrics.text).toMatch(
    new RegExp(`^azimuth_unexpected_errors_total\\{where="${where}"\\} [1-9]`, 'm'),
  );
}

test('a request that fails before it is handled gets status 3', async () => {
  const scanner = await TestScanner.start();
  const client = new Client(scanner.httpPort);
  vi.spyOn(scanner.service.device, 'served', 'get').mockImplementationOnce(fails);
  const reply = await client.get('DeviceStatus');
  expect(statusOf(reply)).toBe(3);
  expect(reply.headers.connection).toBe('close');
  await expectTold(scanner, 'http');
});

test('so does a request that waited and then fails', async () => {
  const scanner = await TestScanner.start();
  const connection = await RawConnection.open(scanner.httpPort);
  onTestFinished(() => connection.destroy());
  connection.write(
    'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\nGET /api/DeviceStatus HTTP/1.1\r\nHost: x\r\n\r\n',
  );
  const { served } = scanner.service.device;
  const broken = Object.defineProperty({ ...served }, 'endpoints', { get: fails });
  vi.spyOn(scanner.service.device, 'served', 'get').mockReturnValue(broken);
  expect((await connection.response()).body).toContain('azimuth_');
  expect((await connection.response()).body).toContain('"status":3');
  await expectTold(scanner, 'http');
});

test('a connection that fails when it is opened is closed, and the next one is served', async () => {
  const scanner = await TestScanner.start();
  vi.spyOn(Connections.prototype, 'add').mockImplementationOnce(fails);
  const connection = connect(scanner.httpPort, '127.0.0.1');
  connection.on('error', () => undefined);
  await once(connection, 'close');
  await expectTold(scanner, 'http');
});

test('an error at the end of a WebSocket affects only this WebSocket', async () => {
  const scanner = await TestScanner.start();
  const [failing, other] = [
    await EventClient.open(scanner.httpPort),
    await EventClient.open(scanner.httpPort, '/x/events'),
  ];
  vi.spyOn(scanner.service.device, 'follow').mockReturnValueOnce(fails);
  failing.say({ type: 'register', event: 'DeviceStatus', clientId: 1 });
  await failing.next();
  failing.socket.terminate();
  await expectTold(scanner, 'events');
  expect(other.socket.readyState).toBe(other.socket.OPEN);
});

test('a legacy session that fails is closed, and others continue', async () => {
  const scanner = await TestScanner.start();
  const other = await LegacyWire.open(scanner.portA);
  const failing = await LegacyWire.open(scanner.portA);
  for (const wire of [other, failing]) {
    wire.write(textFrame('sRN SCdevicestate'));
    await wire.text();
  }
  vi.spyOn(scanner.service.device.clock, 'monotonic').mockImplementationOnce(fails);
  failing.write(textFrame('sRN SCdevicestate'));
  await until(() => failing.isClosed);
  await expectTold(scanner, 'legacy');
  other.write(textFrame('sRN SCdevicestate'));
  expect(await other.text()).toBe('sRA SCdevicestate 2');
});

test('a data stream client that fails when it connects is closed, and the next one gets telegrams', async () => {
  const streams = await StreamingScanner.start();
  const scanner = streams.testScanner;
  const port = await freePort();
  streams.set(scan.ScanDataEthSettings, { Protocol: 2, IPAddress: [127, 0, 0, 1], Port: port });
  streams.set(scan.ScanDataEnable, true);
  await until(() => scanner.log.lines.some(({ message }) => message.includes('sending started')));
  vi.spyOn(scanner.service.device.features.measuring, 'watch').mockImplementationOnce(fails);
  const failing = connect(port, '127.0.0.1');
  failing.on('error', () => undefined);
  failing.resume();
  await once(failing, 'close');
  await expectTold(scanner, 'streams');
  const next = connect(port, '127.0.0.1');
  onTestFinished(() => {
    next.destroy();
  });
  let bytes = 0;
  next.on('data', (piece: Buffer) => {
    bytes += piece.length;
  });
  await streams.runUntil(() => bytes > 0);
});

test('an error while a data stream opens its socket is reported', async () => {
  const streams = await StreamingScanner.start();
  vi.spyOn(DatagramSocket.prototype, 'setBroadcast').mockImplementationOnce(fails);
  streams.sendScans(2115);
  await expectTold(streams.testScanner, 'streams');
});

test('a device search that fails gets no answer, and the next one gets one', async () => {
  const scanner = await TestScanner.start({ searchPort: 0 });
  const { device, ports } = scanner.service;
  const asker = await Asker.open();
  const { macAddress } = device.identity;
  Object.defineProperty(device.identity, 'macAddress', { configurable: true, get: fails });
  await asker.send(searchFor('a1b2c3d4'), number(ports.search));
  await until(() => device.errors.counts.of('search') > 0);
  Object.defineProperty(device.identity, 'macAddress', { value: macAddress });
  await expectTold(scanner, 'search');
  await asker.send(searchFor('a1b2c3d5'), number(ports.search));
  await until(() => asker.heard.length === 2);
});

test('a request to the control port that cannot be answered is closed', async () => {
  const scanner = await TestScanner.start({ controlPort: 0 });
  const send = vi.spyOn(ServerResponse.prototype, 'writeHead').mockImplementation(fails);
  const asking = new Client(scanner.controlPort).send({ method: 'GET', path: '/' });
  await expect(asking).rejects.toThrow('socket hang up');
  send.mockRestore();
  await expectTold(scanner, 'control');
});

test('an action after an answer that fails is reported', async () => {
  const scanner = await TestScanner.start();
  vi.spyOn(scanner.service.device.lifecycle, 'reboot').mockImplementationOnce(fails);
  const reply = await new Client(scanner.httpPort).call('RebootDevice');
  expect(statusOf(reply)).toBe(0);
  await until(() => scanner.service.device.errors.counts.of('http') > 0);
  expect(scanner.log.errors).toHaveLength(1);
});
