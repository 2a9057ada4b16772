import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { ControlRefused, type Given } from '@azimuth/device/control';
import { PortTaken } from '@azimuth/http';
import { number, object, parse } from '@azimuth/test-support/json';
import { bootMilliseconds, TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';
import { largestVelocity, velocitiesOfSender } from '../../src/control/limits.js';

/** A program that sends velocities. */
class Driver {
  readonly heard: Readonly<Record<string, unknown>>[] = [];

  private constructor(
    readonly socket: Socket,
    readonly port: number,
  ) {
    socket.on('message', (text) => this.heard.push(object(parse(text.toString()))));
  }

  static async open(port: number, address = '127.0.0.1'): Promise<Driver> {
    const socket = createSocket('udp4');
    socket.bind(0, address);
    await once(socket, 'listening');
    onTestFinished(() => {
      socket.close();
    });
    return new Driver(socket, port);
  }

  send(datagram: string | Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.socket.send(datagram, this.port, '127.0.0.1', () => resolve());
    });
  }

  /** Sends a datagram, and returns its response. */
  async ask(datagram: string | Buffer): Promise<Readonly<Record<string, unknown>> | undefined> {
    const before = this.heard.length;
    await this.send(datagram);
    await until(() => this.heard.length > before);
    return this.heard.at(-1);
  }
}

/** A scanner on a vehicle that only writes down what it is told. */
async function started(drive: (given: Given) => object = () => ({ x: 1.5 })) {
  const given: Given[] = [];
  const vehicle = {
    drive: async (one: Given) => {
      given.push(one);
      return drive(one);
    },
    odometry: () => undefined,
  };
  const scanner = await TestScanner.start({ vehicle: { of: () => vehicle, velocityPort: 0 } });
  const port = number(scanner.service.ports.velocity);
  return { scanner, given, port, driver: await Driver.open(port) };
}

test('each velocity is answered with the odometry of its moment', async () => {
  const { given, driver } = await started();
  expect(await driver.ask('{"speed":0.5,"turn":10}')).toEqual({ x: 1.5 });
  expect(given).toEqual([{ speed: 0.5, turn: 10 }]);
});

test.each([
  ['text', 'forward'],
  ['a list', '[1, 2]'],
  ['nothing', ''],
  ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00])],
  ['an object that is too long', `{"speed":1${' '.repeat(largestVelocity)}}`],
  ['the longest datagram', Buffer.alloc(65_507, 0x7b)],
])('%s gets an error, and moves nothing', async (_, datagram) => {
  const { given, driver } = await started();
  expect(await driver.ask(datagram)).toEqual({
    error: `expected a JSON object of at most ${largestVelocity} bytes`,
  });
  expect(given).toEqual([]);
});

test('what the vehicle refuses is an error, and what fails there is contained', async () => {
  const { scanner, driver } = await started(({ speed }) => {
    if (speed === 'fast') throw new ControlRefused('"speed" must be a number');
    if (speed === 13) throw new Error('a broken wheel');
    return { x: 2 };
  });
  expect(await driver.ask('{"speed":"fast"}')).toEqual({ error: '"speed" must be a number' });
  await driver.send('{"speed":13}');
  expect(await driver.ask('{"speed":1}')).toEqual({ x: 2 });
  expect(driver.heard).toHaveLength(2);
  expect(
    scanner.log.lines.filter(({ facts }) => String(facts.reason).includes('a broken wheel')),
  ).toHaveLength(1);
});

test('a flood of one program is answered up to a limit, and another program still drives', async () => {
  const { given, driver, port } = await started();
  const begin = performance.now();
  for (let batch = 0; batch < 400; batch++) {
    await Promise.all(Array.from({ length: 20 }, () => driver.send('{"speed":1}')));
    // The socket reads before its buffer is full.
    await setImmediate();
  }
  const other = await Driver.open(port);
  // The system drops datagrams, too, while its buffer is full.
  while (other.heard.length === 0) {
    await other.send('{"speed":2}');
    await setImmediate();
  }
  expect(other.heard[0]).toEqual({ x: 1.5 });
  const ofFlood = given.filter(({ speed }) => speed === 1).length;
  expect(ofFlood).toBeGreaterThan(0);
  expect(ofFlood).toBeLessThanOrEqual(velocitiesOfSender * (1 + (performance.now() - begin) / 1000));
});

test('a sender with an address of the network gets nothing', async ({ skip }) => {
  const outside = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal);
  if (outside === undefined) skip('this machine has only loopback');
  const { given, port, driver } = await started();
  const foreign = await Driver.open(port, outside?.address);
  await foreign.send('{"speed":9}');
  await driver.ask('{"speed":1}');
  expect(given).toEqual([{ speed: 1 }]);
});

test('the port stays open over a reboot, and closes with the scanner', async () => {
  const { scanner, driver } = await started();
  scanner.service.device.lifecycle.reboot();
  expect(await driver.ask('{}')).toEqual({ x: 1.5 });
  scanner.clock.advance(bootMilliseconds);
  await scanner.service.close();
  expect(scanner.service.ports.velocity).toBeNull();
});

test('a port in use ends the start, and names the option', async () => {
  const { port } = await started();
  const vehicle = { drive: async () => ({}), odometry: () => undefined };
  const second = TestScanner.start({ vehicle: { of: () => vehicle, velocityPort: port } });
  await expect(second).rejects.toThrow(PortTaken);
  await expect(second).rejects.toThrow(/UDP port \d+ on 127.0.0.1 is in use.*--velocity-port/);
});

test('a scanner without a vehicle has no velocity port', async () => {
  const scanner = await TestScanner.start();
  expect(scanner.service.ports.velocity).toBeNull();
});
