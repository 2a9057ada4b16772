import { Socket as DatagramSocket } from 'node:dgram';
import { once } from 'node:events';
import { ServerResponse } from 'node:http';
import { connect, createServer } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { Client, statusOf } from '../../../tests/support/client.js';
import { number } from '../../../tests/support/json.js';
import { RawConnection } from '../../../tests/support/raw-connection.js';
import { Bench } from '../../../tests/support/service-test-bench.js';
import { until } from '../../../tests/support/waiting.js';
import { Connections } from '../src/http/connections.js';
import { listen } from '../src/network/listen.js';
import { EventClient } from './events/client.js';
import { LegacyWire, textFrame } from './legacy/legacy-wire.js';
import { Asker, searchFor } from './search/asker.js';
import { StreamBench, scan } from './streams/scanner.js';

afterEach(() => {
  vi.restoreAllMocks();
});

const fails = (): never => {
  throw new Error('out of order');
};

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server, '127.0.0.1', 0, '');
  server.close();
  await once(server, 'close');
  return port;
}

/** That the scanner has told of one such error there, and goes on. An error that nobody contains fails the test run. */
async function expectTold(bench: Bench, where: string): Promise<void> {
  await until(() => bench.log.errors.length > 0);
  vi.restoreAllMocks();
  expect(bench.log.errors.map(({ message, facts }) => [message, facts.where])).toEqual([
    ['Unexpected error inside the scanner; the scanner continues', where],
  ]);
  expect(String(bench.log.errors[0]?.facts.reason)).toMatch(/out of order\n +at /);
  const client = bench.client();
  expect(await client.value('DeviceStatus')).toBe(7);
  expect(statusOf(await client.write('LocationName', 'Gate 3'))).toBe(0);
  const metrics = await client.send({ method: 'GET', path: '/metrics' });
  expect(metrics.text).toMatch(
    new RegExp(`^azimuth_unexpected_errors_total\\{where="${where}"\\} [1-9]`, 'm'),
  );
}

test('a request that fails before anybody looks at it is answered with status 3', async () => {
  const bench = await Bench.start();
  const client = new Client(bench.httpPort);
  vi.spyOn(bench.service.device, 'endpoints', 'get').mockImplementationOnce(fails);
  const reply = await client.get('DeviceStatus');
  expect(statusOf(reply)).toBe(3);
  expect(reply.headers.connection).toBe('close');
  await expectTold(bench, 'http');
});

test('one that fails when its turn has come behind another one is, too', async () => {
  const bench = await Bench.start();
  const connection = await RawConnection.open(bench.httpPort);
  onTestFinished(() => connection.destroy());
  connection.write(
    'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\nGET /api/DeviceStatus HTTP/1.1\r\nHost: x\r\n\r\n',
  );
  vi.spyOn(bench.service.device, 'endpoints', 'get').mockImplementation(fails);
  expect((await connection.response()).body).toContain('azimuth_');
  expect((await connection.response()).body).toContain('"status":3');
  await expectTold(bench, 'http');
});

test('a connection that fails as it comes is closed, and the next one is served', async () => {
  const bench = await Bench.start();
  vi.spyOn(Connections.prototype, 'add').mockImplementationOnce(fails);
  const connection = connect(bench.httpPort, '127.0.0.1');
  connection.on('error', () => undefined);
  await once(connection, 'close');
  await expectTold(bench, 'http');
});

test('a WebSocket whose end fails ends alone', async () => {
  const bench = await Bench.start();
  const [failing, other] = [
    await EventClient.open(bench.httpPort),
    await EventClient.open(bench.httpPort, '/x/events'),
  ];
  vi.spyOn(bench.service.device.announcements, 'follow').mockReturnValueOnce(fails);
  failing.say({ type: 'register', event: 'DeviceStatus', clientId: 1 });
  await failing.next();
  failing.socket.terminate();
  await expectTold(bench, 'events');
  expect(other.socket.readyState).toBe(other.socket.OPEN);
});

test('a legacy session that fails is closed, and another one goes on', async () => {
  const bench = await Bench.start();
  const other = await LegacyWire.open(bench.portA);
  const failing = await LegacyWire.open(bench.portA);
  for (const wire of [other, failing]) {
    wire.write(textFrame('sRN SCdevicestate'));
    await wire.text();
  }
  vi.spyOn(bench.service.device.clock, 'monotonic').mockImplementationOnce(fails);
  failing.write(textFrame('sRN SCdevicestate'));
  await until(() => failing.isClosed);
  await expectTold(bench, 'legacy');
  other.write(textFrame('sRN SCdevicestate'));
  expect(await other.text()).toBe('sRA SCdevicestate 2');
});

test('a client of a data stream that fails as it comes is closed, and the next one gets telegrams', async () => {
  const streams = await StreamBench.start();
  const { bench } = streams;
  const port = await freePort();
  streams.set(scan.ScanDataEthSettings, { Protocol: 2, IPAddress: [127, 0, 0, 1], Port: port });
  streams.set(scan.ScanDataEnable, true);
  await until(() => bench.log.lines.some(({ message }) => message.includes('sending started')));
  vi.spyOn(bench.service.device.measuring, 'watch').mockImplementationOnce(fails);
  const failing = connect(port, '127.0.0.1');
  failing.on('error', () => undefined);
  failing.resume();
  await once(failing, 'close');
  await expectTold(bench, 'streams');
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

test('a socket of a data stream that fails as it opens is told', async () => {
  const streams = await StreamBench.start();
  vi.spyOn(DatagramSocket.prototype, 'setBroadcast').mockImplementationOnce(fails);
  streams.sendScans(2115);
  await expectTold(streams.bench, 'streams');
});

test('a search that fails gets no answer, and the next one does', async () => {
  const bench = await Bench.start({ searchPort: 0 });
  const { device, ports } = bench.service;
  const asker = await Asker.open();
  const { macAddress } = device.identity;
  Object.defineProperty(device.identity, 'macAddress', { configurable: true, get: fails });
  await asker.send(searchFor('a1b2c3d4'), number(ports.search));
  await until(() => device.errors.counts.of('search') > 0);
  Object.defineProperty(device.identity, 'macAddress', { value: macAddress });
  await expectTold(bench, 'search');
  await asker.send(searchFor('a1b2c3d5'), number(ports.search));
  await until(() => asker.heard.length === 2);
});

test('a request to the control port that cannot be answered is cut off', async () => {
  const bench = await Bench.start({ controlPort: 0 });
  const send = vi.spyOn(ServerResponse.prototype, 'writeHead').mockImplementation(fails);
  const asking = new Client(bench.controlPort).send({ method: 'GET', path: '/' });
  await expect(asking).rejects.toThrow('socket hang up');
  send.mockRestore();
  await expectTold(bench, 'control');
});

test('what comes after an answer and fails is told', async () => {
  const bench = await Bench.start();
  vi.spyOn(bench.service.device.lifecycle, 'reboot').mockImplementationOnce(fails);
  const reply = await new Client(bench.httpPort).call('RebootDevice');
  expect(statusOf(reply)).toBe(0);
  await until(() => bench.service.device.errors.counts.of('http') > 0);
  expect(bench.log.errors).toHaveLength(1);
});
