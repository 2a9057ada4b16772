import { createServer, type Server } from 'node:net';
import { MemoryStorage } from '@azimuth/device';
import { VirtualHardware } from '@azimuth/simulation';
import { statusOf } from '@azimuth/test-support/client';
import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { number } from '@azimuth/test-support/json';
import type { LogBook } from '@azimuth/test-support/log-book';
import { listens, RawConnection } from '@azimuth/test-support/raw-connection';
import { bootMilliseconds, TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';
import { PortTaken } from '../../src/index.js';

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

test('a port in use makes the start fail with advice, and the storage is released', async () => {
  const { port } = await occupy();
  const storage = new FaultyStorage();
  let closed = 0;
  storage.close = async () => {
    closed++;
  };
  const starting = TestScanner.start({ storage, web: { port } });
  await expect(starting).rejects.toThrow(PortTaken);
  await expect(starting).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or choose another port with --port`,
  );
  expect(closed).toBe(1);
});

test('for a control port in use, the error names its option, and the web server is closed again', async () => {
  const { port } = await occupy();
  const free = await occupy();
  await free.leave();
  const starting = TestScanner.start({ web: { port: free.port }, controlPort: port });
  await expect(starting).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use`);
  await expect(starting).rejects.toThrow('--control-port');
  expect(await listens(free.port)).toBe(false);
});

test('an address of another machine is refused by name', async () => {
  await expect(TestScanner.start({ network: { address: '192.0.2.1' } })).rejects.toThrow(
    'this machine does not have the address 192.0.2.1. Choose another one with --host.',
  );
});

test('a scanner that does not start releases its storage', async () => {
  const storage = new FaultyStorage();
  storage.fail('operating.json');
  let closed = 0;
  storage.close = async () => {
    closed++;
  };
  await expect(TestScanner.start({ storage })).rejects.toThrow('ENOSPC');
  expect(closed).toBe(1);
});

/** Reboots over REST and waits until the scanner is down. */
async function goDown(
  scanner: TestScanner,
  method: 'SoftReset' | 'RebootDevice' = 'RebootDevice',
): Promise<void> {
  const client = scanner.client();
  const data = method === 'SoftReset' ? { ProcessorNbr: 0 } : undefined;
  expect(statusOf(await client.call(method, data))).toBe(0);
  await until(() => scanner.service.device.lifecycle.phase === 'down');
}

test('a port chosen at the start stays the same over reboots', async () => {
  const scanner = await TestScanner.start();
  const port = scanner.httpPort;
  for (const method of ['SoftReset', 'RebootDevice', 'SoftReset'] as const) {
    await goDown(scanner, method);
    expect(scanner.service.ports.http).toBeNull();
    expect(await listens(port)).toBe(false);
    scanner.clock.advance(bootMilliseconds);
    await until(() => scanner.service.ports.http !== null);
    expect(scanner.httpPort).toBe(port);
    expect(await scanner.client().value('DeviceStatus')).toBe(3);
  }
});

test('a reboot closes every connection, also one without a request', async () => {
  const scanner = await TestScanner.start();
  const idle = await RawConnection.open(scanner.httpPort);
  const used = await RawConnection.open(scanner.httpPort);
  used.request('GET /api/DeviceStatus');
  await used.response();
  const half = await RawConnection.open(scanner.httpPort);
  half.write('POST /api/LocationName HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"data"');
  await goDown(scanner);
  await expect.poll(() => [idle, used, half].map(({ isClosed }) => isClosed)).toEqual([true, true, true]);
});

test('a port that another program takes during a reboot is retried until it is free', async () => {
  const scanner = await TestScanner.start();
  const port = scanner.httpPort;
  await goDown(scanner);
  const thief = await occupy(port);
  const complaints = () =>
    scanner.log.errors.filter(({ message }) => message.includes('cannot open its port'));
  scanner.clock.advance(bootMilliseconds);
  for (let time = 1; time <= 3; time++) {
    await until(() => complaints().length === time);
    expect(scanner.service.ports.http).toBeNull();
    if (time < 3) scanner.clock.advance(1000);
  }
  expect(String(complaints()[0]?.facts.reason)).toContain(`Port ${port} on 127.0.0.1 is in use`);
  await thief.leave();
  scanner.clock.advance(1000);
  await until(() => scanner.service.ports.http !== null);
  expect(scanner.httpPort).toBe(port);
  expect(await scanner.client().value('DeviceStatus')).toBe(3);
});

test('a scanner that is up is listening', async () => {
  const scanner = await TestScanner.start();
  const port = scanner.httpPort;
  await goDown(scanner);
  const { lifecycle } = scanner.service.device;
  scanner.clock.advance(bootMilliseconds);
  await until(() => lifecycle.phase === 'up');
  expect(scanner.service.ports.http).toBe(port);
});

test('a service that is closed while its port is being opened again does not open it', async () => {
  const scanner = await TestScanner.start();
  const port = scanner.httpPort;
  await goDown(scanner);
  const { lifecycle } = scanner.service.device;
  const closed = new Promise<void>((resolve, reject) => {
    lifecycle.onUp(() => {
      scanner.service.close().then(resolve, reject);
    });
  });
  scanner.clock.advance(bootMilliseconds);
  await closed;
  for (let time = 0; time < 20; time++) expect(await listens(port)).toBe(false);
});

test('a service that is closed in the middle of a boot stays closed', async () => {
  const storage = new FaultyStorage();
  const scanner = await TestScanner.start({ storage });
  const port = scanner.httpPort;
  await goDown(scanner);
  const reading = storage.delayRead('parameters.json');
  scanner.clock.advance(bootMilliseconds);
  await scanner.service.close();
  reading.open();
  for (let time = 0; time < 20; time++) expect(await listens(port)).toBe(false);
});

test('a service that is closed while it opens its interfaces one by one stays closed', async () => {
  let closeIt = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    closeIt = resolve;
  });
  // Its port is requested before the interfaces of the scanner.
  const host = (log: LogBook) => {
    const made = new VirtualHardware(log);
    const attach = made.attach.bind(made);
    made.attach = (device) => {
      device.lifecycle.onUp(() => closed);
      return attach(device);
    };
    return made;
  };
  const scanner = await TestScanner.start({ hardware: host });
  const port = scanner.httpPort;
  await goDown(scanner);
  scanner.clock.advance(bootMilliseconds);
  await until(() => scanner.service.device.lifecycle.phase === 'up');
  const ending = scanner.service.close();
  closeIt();
  await ending;
  for (let time = 0; time < 20; time++) expect(await listens(port)).toBe(false);
});

test('a service of which one part fails to close closes everything else, and says so', async () => {
  const host = (log: LogBook) => {
    const made = new VirtualHardware(log);
    const attach = made.attach.bind(made);
    made.attach = (device) => {
      const end = attach(device);
      return () => {
        end();
        throw new Error('the hardware cannot be detached');
      };
    };
    return made;
  };
  const scanner = await TestScanner.start({ hardware: host });
  const port = scanner.httpPort;
  await expect(scanner.service.close()).rejects.toThrow('the hardware cannot be detached');
  expect(await listens(port)).toBe(false);
});

test('with the web server switched off, nothing listens after the next boot until a new start', async () => {
  const storage = new MemoryStorage();
  const scanner = await TestScanner.start({ storage });
  const port = scanner.httpPort;
  expect(statusOf(await scanner.client().call('SetWebserverEnabled', { Enable: false }))).toBe(0);
  expect(await listens(port)).toBe(true);
  await goDown(scanner);
  scanner.clock.advance(bootMilliseconds);
  await until(() => scanner.service.device.lifecycle.phase === 'up');
  expect(scanner.service.ports.http).toBeNull();
  expect(await listens(port)).toBe(false);
  const restarted = await TestScanner.start({ storage });
  expect(restarted.service.ports.http).toBeNull();
});

test('the pages outside /api', async () => {
  const scanner = await TestScanner.start();
  const client = scanner.client();
  const health = await client.send({ method: 'GET', path: '/healthz' });
  expect([health.httpStatus, health.text]).toEqual([200, '{"status":"ok","release":"2.4.4"}\n']);
  expect((await client.send({ method: 'GET', path: '/nothing' })).httpStatus).toBe(404);
  expect((await client.send({ method: 'POST', path: '/healthz' })).httpStatus).toBe(405);
});
