import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import {
  type MeasuringCore,
  MemoryStorage,
  SystemRandom,
  VirtualClock,
  virtualIdentity,
} from '@azimuth/device';
import { ScannerService } from '@azimuth/server';
import { VirtualHost, virtualControls } from '@azimuth/world';
import { loadScene, SceneCore } from '@azimuth/world/scene';
import { expect, onTestFinished } from 'vitest';
import { Client } from '../client.js';
import { expectData, expectDone } from '../envelope.js';
import { number, object, parse } from '../json.js';
import { LogBook } from '../log-book.js';
import { until } from '../waiting.js';
import { room } from './room.js';

export const serial = 12_345_678;
export const bootMilliseconds = 2000;

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

/** A scene as a file in a folder of its own. */
export function sceneFile(scene: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'azimuth-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'scene.json');
  writeFileSync(path, JSON.stringify(scene));
  return path;
}

/** Sets a scanner up over REST, as somebody who owns one does. */
export class Setup {
  constructor(readonly client: Client) {}

  async write(name: string, value: unknown): Promise<void> {
    expectDone(await this.client.write(name, value));
  }

  /** Calls a method that answers an error code, which has to be 0. */
  async call(name: string): Promise<void> {
    expectData(await this.client.call(name), { ErrorCode: 0 });
  }

  /** Sends a stream to a port of this host: with the answer to the last write, it has begun. */
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

/** A scanner in this process, in a room of its own, on time that goes on only when it is told to. */
export class VirtualScanner extends Setup {
  private constructor(
    readonly service: ScannerService,
    readonly clock: VirtualClock,
    readonly log: LogBook,
    client: Client,
  ) {
    super(client);
  }

  static async start({
    scene = room,
    seed = 1,
    core,
    clock = new VirtualClock(),
    timeServerPort,
  }: VirtualScannerOptions = {}): Promise<VirtualScanner> {
    const log = new LogBook();
    const host = new VirtualHost(log);
    const service = await ScannerService.start({
      device: {
        identity: virtualIdentity(String(serial)),
        random: new SystemRandom(),
        storage: new MemoryStorage(),
        variant: 'full',
        bootMilliseconds,
        core: core ?? new SceneCore({ scene: await loadScene(sceneFile(scene)), seed }),
      },
      clock,
      host,
      network: { mode: 'simulate', host: '127.0.0.1' },
      web: { port: 0, maxConnections: 100, metricsFreshFor: 0 },
      control: { port: 0, controls: virtualControls(clock, host) },
      ...(timeServerPort === undefined ? {} : { timeServerPort }),
    });
    onTestFinished(() => service.close());
    return new VirtualScanner(service, clock, log, new Client(number(service.ports.http)));
  }

  /** Lets time pass in steps so small that all that is sent meanwhile fits the buffers of the receiver. */
  async pass(milliseconds: number, step = 10): Promise<void> {
    for (let left = milliseconds; left > 0; left -= step) {
      this.clock.advance(Math.min(step, left));
      // What was sent gets to the receivers in this process.
      for (let turn = 0; turn < 3; turn += 1) await setImmediate();
    }
  }

  async control(path: string, body: object): Promise<void> {
    const port = number(this.service.ports.control);
    const reply = await new Client(port).send({ method: 'POST', path, body: JSON.stringify(body) });
    expect(object(parse(reply.text)).ok, reply.text).toBe(true);
  }

  /** Loses what is not stored: goes down, and comes up again. */
  async softReset(): Promise<void> {
    expectDone(await this.client.call('SoftReset', { ProcessorNbr: 0 }));
    await this.pass(500);
    await until(() => this.service.ports.http === null);
    await this.pass(bootMilliseconds);
    await until(() => this.service.ports.http !== null);
  }
}
