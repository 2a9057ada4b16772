import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MeasuringCore, VirtualClock } from '@azimuth/device';
import type { ScannerService } from '@azimuth/server';
import { loadScene, SceneCore } from '@azimuth/simulation/world';
import { expect } from 'vitest';
import { Client } from '../client.js';
import { expectData, expectDone } from '../envelope.js';
import { temporaryFolder } from '../files.js';
import { number, object, parse } from '../json.js';
import type { LogBook } from '../log-book.js';
import { bootMilliseconds, TestScanner } from '../test-scanner.js';
import { until } from '../waiting.js';
import { room } from './room.js';

export const serial = 12_345_678;

export interface VirtualScannerOptions {
  readonly scene?: object;
  readonly seed?: number;
  readonly core?: MeasuringCore;
  readonly clock?: VirtualClock;
  readonly timeServerPort?: number;
}

/** Streams of a scanner: names of their variables. */
const stream = {
  scan: { enable: 'ScanDataEnable', destination: 'ScanDataEthSettings' },
  imu: { enable: 'ImuDataEnable', destination: 'ImuDataEthSettings' },
  encoder: { enable: 'EncoderDataEnable', destination: 'EncoderDataEthSettings' },
} as const;

export type StreamName = keyof typeof stream;

/** Writes a scene to a file in its own folder. */
export function sceneFile(scene: object): string {
  const path = join(temporaryFolder(), 'scene.json');
  writeFileSync(path, JSON.stringify(scene));
  return path;
}

/** Configures a scanner over REST. */
export class Setup {
  constructor(readonly client: Client) {}

  async write(name: string, value: unknown): Promise<void> {
    expectDone(await this.client.write(name, value));
  }

  /** Calls a method whose error code has to be 0. */
  async call(name: string): Promise<void> {
    expectData(await this.client.call(name), { ErrorCode: 0 });
  }

  /** Sends a stream to a port of this host. It has begun when this returns. */
  async send(name: StreamName, protocol: 'UDP' | 'TCP', port: number): Promise<void> {
    const { enable, destination } = stream[name];
    const Protocol = protocol === 'UDP' ? 1 : 2;
    await this.write(destination, { Protocol, IPAddress: [127, 0, 0, 1], Port: port });
    await this.write(enable, true);
  }

  async enable(name: StreamName, on: boolean): Promise<void> {
    await this.write(stream[name].enable, on);
  }

  profile(profile: number): Promise<void> {
    return this.write('PerformanceProfileNumber', profile);
  }

  format(format: 'MSGPACK' | 'Compact'): Promise<void> {
    return this.write('ScanDataFormat', format === 'MSGPACK' ? 1 : 2);
  }

  /** Clients that are connected for telegrams over TCP. */
  async clients(): Promise<number> {
    const { text } = await this.client.send({ method: 'GET', path: '/metrics' });
    return Number(/^azimuth_stream_clients (\d+)$/m.exec(text)?.[1]);
  }

  async connected(count: number): Promise<void> {
    await until(async () => (await this.clients()) === count);
  }

  async status(): Promise<number> {
    return number(await this.client.value('DeviceStatus'));
  }
}

/** A scanner in this process that measures a room. Time passes only on `pass`. */
export class VirtualScanner extends Setup {
  readonly service: ScannerService;
  readonly clock: VirtualClock;
  readonly log: LogBook;

  readonly #testScanner: TestScanner;

  private constructor(testScanner: TestScanner) {
    super(new Client(testScanner.httpPort));
    this.#testScanner = testScanner;
    this.service = testScanner.service;
    this.clock = testScanner.clock;
    this.log = testScanner.log;
  }

  static async start({
    scene = room,
    seed = 1,
    core,
    ...options
  }: VirtualScannerOptions = {}): Promise<VirtualScanner> {
    const measuring = core ?? new SceneCore({ scene: await loadScene(sceneFile(scene)), seed });
    const fixed = { core: measuring, serial: String(serial), controlPort: 0, legacy: 'closed' } as const;
    return new VirtualScanner(await TestScanner.start({ ...fixed, ...options }));
  }

  /** Lets time pass in small steps, so that the telegrams fit the buffers of the receiver. */
  pass(milliseconds: number, step?: number): Promise<void> {
    return this.#testScanner.pass(milliseconds, step);
  }

  async control(path: string, body: object): Promise<void> {
    const port = number(this.service.ports.control);
    const response = await new Client(port).send({ method: 'POST', path, body: JSON.stringify(body) });
    expect(object(parse(response.text)).ok, response.text).toBe(true);
  }

  /** Reboots without storing. */
  async softReset(): Promise<void> {
    expectDone(await this.client.call('SoftReset', { ProcessorNbr: 0 }));
    await this.pass(500);
    await until(() => this.service.ports.http === null);
    await this.pass(bootMilliseconds);
    await until(() => this.service.ports.http !== null);
  }
}
