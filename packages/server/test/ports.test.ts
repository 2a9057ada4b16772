import { createServer, type Server } from 'node:net';
import { MemoryStorage } from '@azimuth/device';
import { expect, onTestFinished, test } from 'vitest';
import { statusOf } from '../../../tests/support/client.js';
import { FaultyStorage } from '../../../tests/support/faulty-storage.js';
import { number } from '../../../tests/support/json.js';
import { listens, RawConnection } from '../../../tests/support/raw-connection.js';
import { Bench, bootMilliseconds } from '../../../tests/support/service-test-bench.js';
import { until } from '../../../tests/support/waiting.js';
import { PortTaken } from '../src/index.js';

/** Another program on a port. */
async function occupy(port = 0): Promise<{ port: number; leave: () => Promise<void> }> {
  const server: Server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port, exclusive: true }, resolve);
  });
  const leave = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  onTestFinished(leave);
  const address = server.address();
  return { port: number(typeof address === 'object' ? address?.port : undefined), leave };
}

test('a taken port is refused with what a person can do, and the storage is given back', async () => {
  const { port } = await occupy();
  const storage = new FaultyStorage();
  let closed = 0;
  storage.close = async () => {
    closed++;
  };
  const starting = Bench.start({ storage, web: { port } });
  await expect(starting).rejects.toThrow(PortTaken);
  await expect(starting).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is in use. Stop the program that has it, or choose another one with --port`,
  );
  expect(closed).toBe(1);
});

test('a taken control port names its own flag, and the web server is closed again', async () => {
  const { port } = await occupy();
  const free = await occupy();
  await free.leave();
  const starting = Bench.start({ web: { port: free.port }, controlPort: port });
  await expect(starting).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use`);
  await expect(starting).rejects.toThrow('--control-port');
  expect(await listens(free.port)).toBe(false);
});

test('an address of another machine is refused by name', async () => {
  await expect(Bench.start({ network: { host: '192.0.2.1' } })).rejects.toThrow(
    'this machine does not have the address 192.0.2.1. Choose another one with --host.',
  );
});

test('a scanner that does not start gives its storage back', async () => {
  const storage = new FaultyStorage();
  storage.fail('operating.json');
  let closed = 0;
  storage.close = async () => {
    closed++;
  };
  await expect(Bench.start({ storage })).rejects.toThrow('ENOSPC');
  expect(closed).toBe(1);
});

/** Reboots over REST and waits until the scanner is down. */
async function goDown(bench: Bench, method: 'SoftReset' | 'RebootDevice' = 'RebootDevice'): Promise<void> {
  const client = bench.client();
  const data = method === 'SoftReset' ? { ProcessorNbr: 0 } : undefined;
  expect(statusOf(await client.call(method, data))).toBe(0);
  await until(() => bench.service.device.lifecycle.phase === 'down');
}

test('a port picked at start stays the same over reboots', async () => {
  const bench = await Bench.start();
  const port = bench.httpPort;
  for (const method of ['SoftReset', 'RebootDevice', 'SoftReset'] as const) {
    await goDown(bench, method);
    expect(bench.service.ports.http).toBeNull();
    expect(await listens(port)).toBe(false);
    bench.clock.advance(bootMilliseconds);
    await until(() => bench.service.ports.http !== null);
    expect(bench.httpPort).toBe(port);
    expect(await bench.client().value('DeviceStatus')).toBe(3);
  }
});

test('a reboot closes every connection, also one that asks for nothing', async () => {
  const bench = await Bench.start();
  const idle = await RawConnection.open(bench.httpPort);
  const used = await RawConnection.open(bench.httpPort);
  used.request('GET /api/DeviceStatus');
  await used.response();
  const half = await RawConnection.open(bench.httpPort);
  half.write('POST /api/LocationName HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"data"');
  await goDown(bench);
  await Promise.all([idle.closed, used.closed, half.closed]);
});

test('a port stolen during a reboot is asked for again until it is free', async () => {
  const bench = await Bench.start();
  const port = bench.httpPort;
  await goDown(bench);
  const thief = await occupy(port);
  const complaints = () => bench.log.errors.filter(({ message }) => message.includes('cannot open its port'));
  bench.clock.advance(bootMilliseconds);
  for (let time = 1; time <= 3; time++) {
    await until(() => complaints().length === time);
    expect(bench.service.ports.http).toBeNull();
    if (time < 3) bench.clock.advance(1000);
  }
  expect(String(complaints()[0]?.facts.reason)).toContain(`Port ${port} on 127.0.0.1 is in use`);
  await thief.leave();
  bench.clock.advance(1000);
  await until(() => bench.service.ports.http !== null);
  expect(bench.httpPort).toBe(port);
  expect(await bench.client().value('DeviceStatus')).toBe(3);
});

test('a scanner that is up is listening', async () => {
  const bench = await Bench.start();
  const port = bench.httpPort;
  await goDown(bench);
  const { lifecycle } = bench.service.device;
  bench.clock.advance(bootMilliseconds);
  await until(() => lifecycle.phase === 'up');
  expect(bench.service.ports.http).toBe(port);
});

test('a service that is closed while its port is being opened again does not open it', async () => {
  const bench = await Bench.start();
  const port = bench.httpPort;
  await goDown(bench);
  const { lifecycle } = bench.service.device;
  const closed = new Promise<void>((resolve, reject) => {
    lifecycle.onUp(() => {
      bench.service.close().then(resolve, reject);
    });
  });
  bench.clock.advance(bootMilliseconds);
  await closed;
  for (let time = 0; time < 20; time++) expect(await listens(port)).toBe(false);
});

test('a service that is closed in the middle of a boot stays closed', async () => {
  const storage = new FaultyStorage();
  const bench = await Bench.start({ storage });
  const port = bench.httpPort;
  await goDown(bench);
  const reading = storage.delayRead('parameters.json');
  bench.clock.advance(bootMilliseconds);
  await bench.service.close();
  reading.open();
  for (let time = 0; time < 20; time++) expect(await listens(port)).toBe(false);
});

test('with the web server switched off nothing listens after the next boot, and the way back is a start', async () => {
  const storage = new MemoryStorage();
  const bench = await Bench.start({ storage });
  const port = bench.httpPort;
  expect(statusOf(await bench.client().call('SetWebserverEnabled', { Enable: false }))).toBe(0);
  expect(await listens(port)).toBe(true);
  await goDown(bench);
  bench.clock.advance(bootMilliseconds);
  await until(() => bench.service.device.lifecycle.phase === 'up');
  expect(bench.service.ports.http).toBeNull();
  expect(await listens(port)).toBe(false);
  const restarted = await Bench.start({ storage });
  expect(restarted.service.ports.http).toBeNull();
});

test('what stands outside /api', async () => {
  const bench = await Bench.start();
  const client = bench.client();
  const health = await client.send({ method: 'GET', path: '/healthz' });
  expect([health.httpStatus, health.text]).toEqual([200, '{"status":"ok","release":"2.4.4"}\n']);
  expect((await client.send({ method: 'GET', path: '/nothing' })).httpStatus).toBe(404);
  expect((await client.send({ method: 'POST', path: '/healthz' })).httpStatus).toBe(405);
});
