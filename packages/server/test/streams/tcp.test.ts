import { once } from 'node:events';
import { createServer } from 'node:net';
import { crc32 } from 'node:zlib';
import { ethernet, legacyProtocols } from '@azimuth/model';
import { freePort } from '@azimuth/test-support/free-port';
import { listening } from '@azimuth/test-support/listening';
import { expect, test } from 'vitest';
import { TcpReceiver } from './receivers.js';
import { imu, StreamingScanner, scan, settled, tcp } from './scanner.js';

const lostToOne = 'Scan data: one client loses telegrams';
const slow = 'azimuth_telegram_errors_total{stream="scan",reason="slow"}';

async function serving(wishes = {}) {
  const scanner = await StreamingScanner.start(wishes);
  const port = await freePort();
  scanner.sendScans(port, tcp);
  await settled();
  return { scanner, port };
}

const sequences = ({ telegrams }: TcpReceiver) =>
  telegrams.map((telegram) => Number(telegram.readBigUInt64LE(8)));

test('a client gets telegrams one after the other, without a gap', async () => {
  const { scanner, port } = await serving();
  const client = await TcpReceiver.open(port);
  await scanner.runUntil(() => client.telegrams.length > 30);
  const [first = 0] = sequences(client);
  expect(sequences(client)).toEqual(client.telegrams.map((_, index) => first + index));
  expect(client.telegrams[0]?.length).toBe(1458);
});

test('the scanner is observed only while a client is connected', async () => {
  const { scanner, port } = await serving();
  await scanner.run(500);
  expect(scanner.core.orders).toEqual([]);
  const clients = [await TcpReceiver.open(port), await TcpReceiver.open(port)];
  await scanner.runUntil(() => clients.every(({ telegrams }) => telegrams.length > 0));
  expect((await scanner.metrics()).get('azimuth_stream_clients')).toBe(2);
  clients[0]?.socket.destroy();
  await scanner.run(100);
  const before = clients[1]?.telegrams.length ?? 0;
  await scanner.runUntil(() => (clients[1]?.telegrams.length ?? 0) > before + 5);
  clients[1]?.socket.destroy();
  await scanner.run(100);
  const { computed } = scanner.core;
  await scanner.run(500);
  expect(scanner.core.computed).toBe(computed);
  expect((await scanner.metrics()).get('azimuth_stream_clients')).toBe(0);
});

test('a client that closes its sending side is disconnected', async () => {
  const { scanner, port } = await serving();
  const client = await TcpReceiver.open(port);
  client.socket.end();
  await scanner.runUntil(() => client.isClosed);
  expect((await scanner.metrics()).get('azimuth_stream_clients')).toBe(0);
});

test('what a client sends is read and dropped', async () => {
  const { scanner, port } = await serving();
  const client = await TcpReceiver.open(port);
  let taken = 0;
  for (let time = 0; time < 64; time++) client.socket.write(Buffer.alloc(65_536, 2), () => (taken += 65_536));
  await scanner.runUntil(() => taken === 64 * 65_536 && client.telegrams.length > 10);
  expect(client.isClosed).toBe(false);
});

/** Fills the buffers of the systems of both sides, and of the scanner. */
async function stall(scanner: StreamingScanner, client: TcpReceiver): Promise<void> {
  client.socket.pause();
  await scanner.runUntil(
    () => scanner.lines('warn', lostToOne).some(({ facts }) => facts.client === nameOf(client)),
    20,
  );
}

/** Name of the client in the log. */
const nameOf = ({ socket }: TcpReceiver) => `127.0.0.1:${socket.localPort}`;

function setPatience(scanner: StreamingScanner, milliseconds: number): void {
  scanner.set(legacyProtocols.members.EtherSessionTimeout, milliseconds);
  scanner.testScanner.service.device.features.network.activate();
}

test('a client that does not read loses telegrams, and is closed after the stall timeout', async () => {
  const { scanner, port } = await serving();
  // Large telegrams fill the buffers of the system sooner.
  scanner.set(scan.ScanDataFormat, 1);
  setPatience(scanner, 4_000_000);
  const stalled = await TcpReceiver.open(port);
  const reader = await TcpReceiver.open(port);
  const memory = process.memoryUsage().arrayBuffers;
  await stall(scanner, stalled);
  expect(scanner.lines('warn', 'Scan data').map(({ facts }) => facts)).toEqual([
    {
      destination: `TCP, clients of port ${port}`,
      client: nameOf(stalled),
      reason: 'it does not read as fast as it is sent to',
    },
  ]);
  const lost = (await scanner.metrics()).get(slow) ?? 0;
  await scanner.run(5000, 20);
  expect((await scanner.metrics()).get(slow)).toBeGreaterThan(lost + 700);
  // The reader buffers some megabytes here; the stalled client holds no more than its megabyte.
  expect(process.memoryUsage().arrayBuffers - memory - reader.bytes.length * 2).toBeLessThan(8_000_000);
  const before = reader.bytes.length;
  await scanner.runUntil(() => reader.bytes.length > before + 100_000, 20);
  expect((await scanner.metrics()).get('azimuth_stream_clients')).toBe(2);
});

test('a client that reads again gets the waiting telegrams, complete and in order', async () => {
  const { scanner, port } = await serving();
  setPatience(scanner, 4_000_000);
  const client = await TcpReceiver.open(port);
  const other = await TcpReceiver.open(port);
  await stall(scanner, client);
  await scanner.run(1000, 20);
  expect(other.isClosed).toBe(false);
  client.socket.resume();
  const { clock } = scanner.testScanner;
  const resumed = clock.monotonic();
  const sentAt = (telegram?: Buffer) => Number(telegram?.readBigUInt64LE(16) ?? 0);
  await scanner.runUntil(() => sentAt(client.telegrams.at(-1)) > (resumed + 100) * 1000);
  const { telegrams } = client;
  for (const telegram of telegrams) {
    expect(telegram.readUInt32LE(telegram.length - 4)).toBe(crc32(telegram.subarray(0, -4)));
  }
  const numbers = sequences(client);
  const steps = numbers.slice(1).map((number, index) => number - (numbers[index] ?? 0));
  expect(Math.min(...steps)).toBe(1);
  // Dropped telegrams are missing.
  expect(Math.max(...steps)).toBeGreaterThan(100);
  const others = sequences(other);
  expect(others).toEqual(others.map((_, index) => (others[0] ?? 0) + index));
  const again = 'Scan data: this client gets all telegrams again';
  expect(scanner.lines('info', again)).toEqual([]);
  await scanner.run(5000, 20);
  expect(scanner.lines('info', again).map(({ facts }) => facts.client)).toEqual([nameOf(client)]);
  expect(scanner.lines('warn', 'Scan data')).toHaveLength(1);
});

test('the stall timeout is EtherSessionTimeout, once that is in force', async () => {
  const { scanner, port } = await serving();
  setPatience(scanner, 3000);
  const stalled = await TcpReceiver.open(port);
  stalled.socket.pause();
  await scanner.run(20_000, 20);
  expect((await scanner.metrics()).get('azimuth_stream_clients')).toBe(1);
  await scanner.run(20_000, 20);
  expect((await scanner.metrics()).get('azimuth_stream_clients')).toBe(0);
  stalled.socket.resume();
  await scanner.runUntil(() => stalled.isClosed);
});

test.each([0, 4_000_000_000])(
  'a client that stalled while it was %i is closed once it is less',
  async (before) => {
    const { scanner, port } = await serving();
    setPatience(scanner, before);
    const stalled = await TcpReceiver.open(port);
    await stall(scanner, stalled);
    await scanner.run(20_000, 50);
    expect((await scanner.metrics()).get('azimuth_stream_clients')).toBe(1);
    setPatience(scanner, 1000);
    await scanner.run(1100, 50);
    expect((await scanner.metrics()).get('azimuth_stream_clients')).toBe(0);
  },
);

test('at most 16 clients are served; others are closed at once, which is logged once', async () => {
  const { scanner, port } = await serving();
  const clients = await Promise.all(Array.from({ length: 16 }, () => TcpReceiver.open(port)));
  await scanner.run(20);
  for (let time = 0; time < 3; time++) {
    const excess = await TcpReceiver.open(port);
    await scanner.runUntil(() => excess.isClosed);
    expect(excess.bytes.length).toBe(0);
  }
  expect(scanner.lines('warn', 'Too many clients')).toHaveLength(1);
  await scanner.runUntil(() => clients.every(({ telegrams }) => telegrams.length > 0));
  clients[0]?.socket.destroy();
  await scanner.run(20);
  const late = await TcpReceiver.open(port);
  await scanner.runUntil(() => late.telegrams.length > 0);
});

test('16 clients of one address keep no other address out: the oldest of them makes room', async () => {
  const { scanner, port } = await serving();
  const clients = await Promise.all(
    Array.from({ length: 16 }, () => TcpReceiver.open(port, '127.0.0.1', '127.0.0.2')),
  );
  await scanner.run(20);
  const other = await TcpReceiver.open(port);
  await scanner.runUntil(() => other.telegrams.length > 0);
  await scanner.runUntil(() => clients.some(({ isClosed }) => isClosed));
  expect(clients.filter(({ isClosed }) => isClosed)).toHaveLength(1);
  expect(scanner.lines('warn', 'Too many clients')).toEqual([]);
});

test('another port closes the previous one, with its clients', async () => {
  const { scanner, port } = await serving();
  const client = await TcpReceiver.open(port);
  await scanner.runUntil(() => client.telegrams.length > 0);
  const other = await freePort();
  scanner.set(scan.ScanDataEthSettings, tcp(other));
  await scanner.runUntil(() => client.isClosed);
  await expect(TcpReceiver.open(port)).rejects.toThrow('ECONNREFUSED');
  const follower = await TcpReceiver.open(other);
  await scanner.runUntil(() => follower.telegrams.length > 0);
  expect(sequences(follower)[0]).toBe((sequences(client).at(-1) ?? 0) + 1);
});

test('a port in use is retried every second, and logged once', async () => {
  const scanner = await StreamingScanner.start();
  const other = createServer();
  const port = await listening(other);
  scanner.sendScans(port, tcp);
  await scanner.run(5000, 100);
  const sample = 'azimuth_stream_down{stream="scan",reason="port_closed"}';
  expect((await scanner.metrics()).get(sample)).toBe(1);
  expect(scanner.lines('info', 'Scan data')).toEqual([]);
  const [line, ...more] = scanner.testScanner.log.errors;
  expect(more).toEqual([]);
  expect(line?.message).toBe('The TCP server of data streams cannot open its port; trying again');
  expect(line?.facts.reason).toContain(`Port ${port} on 127.0.0.1 is in use`);
  other.close();
  await once(other, 'close');
  await scanner.run(1100);
  const client = await TcpReceiver.open(port);
  await scanner.runUntil(() => client.telegrams.length > 0);
  expect(downs(await scanner.metrics())).toEqual([]);
  expect(scanner.lines('info', 'Scan data').map(({ message, facts }) => [message, facts])).toEqual([
    ['Scan data: sending started to clients that connect', { destination: `TCP, clients of port ${port}` }],
  ]);
});

const downs = (samples: ReadonlyMap<string, number>) =>
  [...samples.keys()].filter((name) => name.startsWith('azimuth_stream_down'));

test('a stream that joins an open port logs at once that clients can connect; a move does not log it again', async () => {
  const scanner = await StreamingScanner.start({ network: { follows: true, address: '127.0.0.9' } });
  const port = await freePort();
  scanner.sendScans(port, tcp);
  await settled();
  scanner.set(imu.ImuDataEthSettings, tcp(port));
  scanner.set(imu.ImuDataEnable, true);
  expect(scanner.lines('info', 'IMU data: sending started to clients')).toHaveLength(1);
  const { device } = scanner.testScanner.service;
  device.parameters.change((change) => change.set(ethernet.members.EtherIPAddress, [127, 0, 0, 2]));
  device.features.network.activate();
  await settled();
  await TcpReceiver.open(port, '127.0.0.2');
  expect(scanner.lines('info', 'Scan data: sending started')).toHaveLength(1);
});

test('on port 0 nothing listens, which is logged', async () => {
  const scanner = await StreamingScanner.start();
  scanner.sendScans(0, tcp);
  await scanner.run(100);
  expect(scanner.lines('warn', 'Scan data').map(({ facts }) => facts)).toEqual([
    { destination: 'TCP, clients of port 0', reason: 'port 0 cannot be used' },
  ]);
  expect(scanner.testScanner.log.errors).toEqual([]);
});

test('a reboot closes clients and the port, opens it again, and counts from 1', async () => {
  const { scanner, port } = await serving();
  await scanner.testScanner.service.device.features.saving.storeWorking();
  const client = await TcpReceiver.open(port);
  await scanner.runUntil(() => client.telegrams.length > 3);
  scanner.testScanner.service.device.lifecycle.reboot();
  while (!client.isClosed) await settled(1);
  await expect(TcpReceiver.open(port)).rejects.toThrow('ECONNREFUSED');
  scanner.testScanner.clock.advance(2000);
  while (scanner.testScanner.service.device.lifecycle.phase !== 'up') await settled(1);
  await settled();
  const again = await TcpReceiver.open(port);
  await scanner.runUntil(() => again.telegrams.length > 0);
  expect(sequences(again)[0]).toBe(1);
});

test('the port moves with the scanner', async () => {
  const scanner = await StreamingScanner.start({ network: { follows: true, address: '127.0.0.9' } });
  const { device } = scanner.testScanner.service;
  const goTo = (last: number) => {
    device.parameters.change((change) => change.set(ethernet.members.EtherIPAddress, [127, 0, 0, last]));
    device.features.network.activate();
  };
  goTo(2);
  await settled();
  const port = await freePort();
  scanner.sendScans(port, tcp);
  await settled();
  const client = await TcpReceiver.open(port, '127.0.0.2');
  await scanner.runUntil(() => client.telegrams.length > 0);
  goTo(5);
  await scanner.runUntil(() => client.isClosed);
  const follower = await TcpReceiver.open(port, '127.0.0.5');
  await scanner.runUntil(() => follower.telegrams.length > 0);
  await expect(TcpReceiver.open(port, '127.0.0.2')).rejects.toThrow('ECONNREFUSED');
});

test('one that listens everywhere moves to a single address', async () => {
  const scanner = await StreamingScanner.start({ network: { follows: true, address: '0.0.0.0' } });
  const port = await freePort();
  scanner.sendScans(port, tcp);
  await settled();
  // The factory address is not an address of this machine, so it listens everywhere.
  const before = await TcpReceiver.open(port, '127.0.0.7');
  const { device } = scanner.testScanner.service;
  device.parameters.change((change) => change.set(ethernet.members.EtherIPAddress, [127, 0, 0, 2]));
  device.features.network.activate();
  await scanner.runUntil(() => before.isClosed);
  const client = await TcpReceiver.open(port, '127.0.0.2');
  await scanner.runUntil(() => client.telegrams.length > 0);
  await expect(TcpReceiver.open(port, '127.0.0.7')).rejects.toThrow('ECONNREFUSED');
});

test('protocols can be mixed, and changed while sending', async () => {
  const { scanner, port } = await serving();
  scanner.set(imu.ImuDataEthSettings, tcp(port));
  scanner.set(imu.ImuDataEnable, true);
  const client = await TcpReceiver.open(port);
  const types = () => new Set(client.telegrams.map((telegram) => telegram.readUInt32LE(4)));
  await scanner.runUntil(() => types().size === 2);
  scanner.set(scan.ScanDataEthSettings, { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: port });
  await settled();
  const scans = client.telegrams.filter((telegram) => telegram.readUInt32LE(4) === 1).length;
  await scanner.run(200);
  expect(client.telegrams.filter((telegram) => telegram.readUInt32LE(4) === 1)).toHaveLength(scans);
});
