import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { Health } from '@azimuth/test-support/health';
import { isObject, number, object, parse } from '@azimuth/test-support/json';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';
import { env, extentOf, mostGrowth } from './fuzz-run.js';
import { hostileValue, nested, spoiled, strangeNumber, strangeString, unknownName } from './hostile-json.js';

const extent = extentOf({ inputs: 10_000, seconds: 60 });
const { seed, inputs, seconds, again } = extent;

/** Datagrams of a round. Between two rounds, a good driver drives. */
const together = 200;

/** One datagram for the velocity port. */
function velocityInput(random: SeededRandom): Buffer {
  const kind = random.below(100);
  if (kind < 10) return random.bytes(random.pick([0, 1, 2, 100, 1024, 1025, 60_000]));
  if (kind < 15) return Buffer.from(nested(random.between(1, 500), random));
  if (kind < 25) return Buffer.from(hostileValue(random));
  const names = ['speed', 'turn', 'vehicle'].filter(() => random.percent(70));
  if (random.percent(15)) names.push(unknownName(random));
  const value = () =>
    random.pick([
      strangeNumber(random),
      strangeString(random),
      hostileValue(random),
      '0.5',
      '-1',
      '90',
      'null',
      '1e308',
    ]);
  const text = `{${names.map((name) => `${JSON.stringify(name)}:${value()}`).join()}}`;
  return random.percent(80) ? Buffer.from(text) : spoiled(text, random);
}

/** A program that checks each answer: odometry with finite numbers, or an error in words. */
class Driver {
  answers = 0;
  errors = 0;
  #fault: Error | undefined;
  #last: Readonly<Record<string, unknown>> = {};

  private constructor(
    readonly socket: Socket,
    readonly port: number,
  ) {
    socket.on('message', (text) => this.#take(text.toString()));
  }

  static async open(port: number): Promise<Driver> {
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    onTestFinished(() => void socket.close());
    return new Driver(socket, port);
  }

  send(datagram: Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.socket.send(datagram, this.port, '127.0.0.1', () => resolve());
    });
  }

  /** Drives, and returns the odometry. A datagram may get lost. */
  async drive(velocity: object): Promise<Readonly<Record<string, unknown>>> {
    const before = this.answers;
    while (this.answers === before) {
      await this.send(Buffer.from(JSON.stringify(velocity)));
      await until(() => this.answers > before, 500).catch(() => undefined);
    }
    this.check();
    return this.#last;
  }

  check(): void {
    if (this.#fault !== undefined) throw this.#fault;
  }

  #take(text: string): void {
    const json = parse(text);
    const isOdometry =
      isObject(json) && ['x', 'y', 'heading', 'speed'].every((name) => Number.isFinite(json[name]));
    const isError =
      isObject(json) && typeof json.error === 'string' && json.error !== '' && text.length < 5000;
    if (!isOdometry && !isError) this.#fault = new Error(`not an answer: ${text.slice(0, 300)}`);
    this.answers += 1;
    if (isError) this.errors += 1;
    else if (isOdometry) this.#last = json;
  }
}

test(
  `${inputs} hostile datagrams at the velocity port (seed ${seed}): a good driver still drives`,
  async () => {
    const scanner = await new ScannerFolder().start(['--velocity-port', '0'], { env });
    const health = new Health(scanner);
    const port = number(object(scanner.readyLine).velocity);
    const [hostile, good] = [await Driver.open(port), await Driver.open(port)];
    const end = performance.now() + seconds * 1000;
    let sent = 0;
    for (let round = 0; sent < inputs && performance.now() < end; round++) {
      const random = new SeededRandom(`${seed}/${round}`);
      for (let index = 0; index < together; index++) await hostile.send(velocityInput(random));
      sent += together;
      await good.drive({ speed: 1, turn: 0 });
      hostile.check();
      health.check();
    }
    console.log(`${again}: ${sent} inputs, ${hostile.answers} answers, ${hostile.errors} errors`);
    // The run proves nothing unless some inputs are velocities.
    expect(hostile.answers - hostile.errors, again).toBeGreaterThan(sent / 1000);
    expect(hostile.errors, again).toBeGreaterThan(sent / 100);
    expect(health.growth, again).toBeLessThan(mostGrowth);
    await good.drive({ speed: 0, turn: 0 });
    await until(async () => (await good.drive({})).speed === 0);
    expect(await scanner.client().value('DeviceStatus')).toBe(3);
  },
  seconds * 1000 + 120_000,
);
