import type { Device, Scan } from '@azimuth/device';
import type { OutputSegment } from '@azimuth/device/network-interface';
import { scanContentOf } from '@azimuth/device/ros2';
import {
  basicSettings,
  dataReduction,
  EchoFilter,
  filter,
  performanceProfiles,
  regionOfInterest,
  ScanDataFormat,
  type Variable,
} from '@azimuth/model';
import { DrivenCore } from '@azimuth/test-support/driven-core';
import { freePort } from '@azimuth/test-support/free-port';
import { atService, TestDevice } from '@azimuth/test-support/test-device';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { WebSocketClient } from '@azimuth/test-support/web-socket';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TelegramMaker } from '../../src/legacy/scan-data/lmd-telegrams.js';
import { ScanMessages } from '../../src/ros2/scan-messages.js';
import { ScanTelegrams } from '../../src/streams/telegram-encoders.js';
import { TcpReceiver, UdpReceiver } from './receivers.js';
import { StreamingScanner, settled, tcp } from './scanner.js';

const { MCSenseLevel, LFPparticle, LFPmovingAveragingFilter, FREchoFilter } = filter.members;
const { LFPangleRangeFilter, LFPintervalFilter } = dataReduction.members;
const { LFPradialDistanceRangeFilter } = regionOfInterest.members;
const { PerformanceProfileNumber, EnableLongRangeMode } = basicSettings.members;

const profiles = Object.keys(performanceProfiles).map(Number);

const bufferOf = (bytes: number) => new Uint8Array(bytes);

/** Everything that a scanner makes of its scans, byte for byte and in order. */
class Output {
  readonly #device: Device;
  readonly #formats: readonly ScanTelegrams[];
  readonly #legacy: TelegramMaker;
  #sequence = 0;
  #made: string[] = [];

  constructor(device: Device) {
    this.#device = device;
    const content = { includeRssi: true, includeProperties: true };
    this.#formats = [ScanDataFormat.Compact, ScanDataFormat.MSGPACK].map(
      (format) => new ScanTelegrams(device, () => ({ format, content })),
    );
    this.#legacy = new TelegramMaker(device);
    device.announcements.subscribe((changed) => this.#legacy.changed(changed));
    device.features.measuring.watch({
      segment: (segment) => this.#addSegment(segment),
      scan: (scan) => this.#addScan(scan),
    });
  }

  /** What has been made since the last call. */
  taken(): string[] {
    const made = this.#made;
    this.#made = [];
    return made;
  }

  #addSegment(segment: OutputSegment): void {
    this.#sequence += 1;
    for (const telegrams of this.#formats) {
      const buffer = bufferOf(telegrams.mostBytes(segment));
      this.#add(`telegram ${segment.index}`, telegrams.encode(segment, this.#sequence, buffer));
    }
    const { presentScan } = this.#device.features.measuring;
    if (presentScan === undefined) throw new Error('a segment without a scan');
    const content = scanContentOf(this.#device.parameters, presentScan.geometry);
    this.#addMessages(presentScan, new ScanMessages(content, content.segments[segment.index]));
  }

  #addScan(scan: Scan): void {
    this.#addMessages(scan, new ScanMessages(scanContentOf(this.#device.parameters, scan.geometry)));
    const frame = this.#legacy.telegramOf(scan)?.frame('sSN', 'text');
    if (frame !== undefined) this.#add('LMDscandata', frame);
  }

  #addMessages(scan: Scan, messages: ScanMessages): void {
    const header = { stamp: Math.round(scan.time), frameId: 'laser' };
    this.#add('LaserScan', messages.laserScan(scan, 0, header, bufferOf));
    this.#add('MultiEchoLaserScan', messages.multiEcho(scan, header, bufferOf));
    this.#add('PointCloud2', messages.pointCloud(scan, {}, header, bufferOf));
  }

  #add(name: string, bytes: Uint8Array): void {
    this.#made.push(`${name} ${Buffer.from(bytes).toString('base64')}`);
  }
}

class Scanner {
  readonly core = new DrivenCore();
  readonly output: Output;

  private constructor(
    readonly testDevice: TestDevice,
    core: DrivenCore,
  ) {
    this.core = core;
    this.output = new Output(testDevice.device);
  }

  static async open(): Promise<Scanner> {
    const core = new DrivenCore();
    return new Scanner(await TestDevice.open({ core }), core);
  }

  set<T>(variable: Variable<T>, value: T): void {
    this.testDevice.device.write(variable, value, atService);
  }

  /** Measures the next revolution, and passes it at its end in these parts; as a whole without any. */
  measure(draw: (scan: Scan) => void, parts: readonly number[] | undefined): void {
    const { core, testDevice } = this;
    const { order, period } = core;
    const microseconds = () => testDevice.device.features.measuring.microseconds();
    const number = order.origin.number + Math.ceil((microseconds() - order.origin.time) / period - 1e-6);
    core.begin(number);
    draw(core.scan);
    testDevice.clock.advance((core.scan.time + period - microseconds()) / 1000);
    const { beams } = core.scan.geometry;
    for (const part of parts ?? []) core.pass(Math.floor(part * (beams - 1)));
    core.pass();
  }
}

/** Any echoes of any beams: a few are impossible. */
function drawn(seed: number): (scan: Scan) => void {
  let state = seed + 1;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return (scan) => {
    scan.clear();
    for (let beam = 0; beam < scan.geometry.beams; beam++) {
      let distance = next(1000) === 0 ? Number.NaN : 1000 + next(3) * 500;
      for (let echo = 0; echo < next(4); echo++) {
        scan.distance[3 * beam + echo] = distance;
        scan.rssi[3 * beam + echo] = next(65_536);
        scan.flags[3 * beam + echo] = next(4);
        distance += 200 + next(8000);
      }
    }
  };
}

const settings = fc.record({
  profile: fc.constantFrom(...profiles),
  longRange: fc.boolean(),
  fog: fc.integer({ min: 0, max: 1 }),
  particles: fc.record({ bEnable: fc.boolean(), uiThreshold: fc.integer({ min: 20, max: 2000 }) }),
  average: fc.record({ bEnable: fc.boolean(), uiAveragingDepth: fc.integer({ min: 2, max: 4 }) }),
  echoes: fc.constantFrom(...Object.values(EchoFilter)),
  radial: fc.record({
    bEnable: fc.boolean(),
    ulDistMin: fc.constant(1200),
    ulDistMax: fc.constant(5000),
  }),
  angles: fc.record({
    bEnable: fc.boolean(),
    fThetaStart: fc.integer({ min: -1_380_000, max: 0 }),
    fThetaStop: fc.integer({ min: 0, max: 1_380_000 }),
    fPhiStart: fc.constant(-900_000),
    fPhiStop: fc.constant(900_000),
    uiBeamIncrement: fc.integer({ min: 1, max: 5 }),
  }),
  interval: fc.record({ bEnable: fc.boolean(), uiReductionFactor: fc.integer({ min: 2, max: 3 }) }),
});

const part = fc.double({ min: 0, max: 1, noNaN: true });
const revolutions = fc.array(
  fc.record({
    seed: fc.nat(),
    parts: fc.array(part, { minLength: 1, maxLength: 12 }).map((parts) => parts.sort((a, b) => a - b)),
  }),
  { minLength: 1, maxLength: 4 },
);

test('whatever the profile, the settings and the parts, all telegrams and messages are those of whole scans', async () => {
  const whole = await Scanner.open();
  const parted = await Scanner.open();
  let telegrams = 0;
  fc.assert(
    fc.property(settings, revolutions, (chosen, scans) => {
      for (const scanner of [whole, parted]) {
        scanner.set<number>(PerformanceProfileNumber, chosen.profile);
        scanner.set(EnableLongRangeMode, chosen.longRange);
        scanner.set(MCSenseLevel, chosen.fog);
        scanner.set(LFPparticle, chosen.particles);
        scanner.set(LFPmovingAveragingFilter, chosen.average);
        scanner.set(FREchoFilter, chosen.echoes);
        scanner.set(LFPradialDistanceRangeFilter, chosen.radial);
        scanner.set(LFPangleRangeFilter, chosen.angles);
        scanner.set(LFPintervalFilter, chosen.interval);
      }
      for (const { seed, parts } of scans) {
        whole.measure(drawn(seed), undefined);
        parted.measure(drawn(seed), parts);
        const expected = whole.output.taken();
        telegrams += expected.length;
        expect(parted.output.taken()).toEqual(expected);
      }
    }),
    { numRuns: 60 },
  );
  expect(telegrams).toBeGreaterThan(1000);
  expect(parted.testDevice.log.errors.map(({ message }) => message)).toEqual(
    whole.testDevice.log.errors.map(({ message }) => message),
  );
});

const segmentBeams = 90;

test('a datagram leaves when its segment is measured: no time passes, and the scan is not complete', async () => {
  const core = new DrivenCore();
  const scanner = await StreamingScanner.start({ core });
  const receiver = await UdpReceiver.open();
  scanner.sendScans(receiver.port);
  await scanner.runUntil(() => core.isRunning);
  core.begin(core.order.origin.number);
  for (let segment = 1; segment <= 9; segment++) {
    core.pass(segment * segmentBeams - 1);
    await settled();
    expect(receiver.telegrams).toHaveLength(segment - 1);
    core.pass(segment * segmentBeams);
    await expect.poll(() => receiver.telegrams).toHaveLength(segment);
  }
  const indices = receiver.telegrams.map((telegram) => Number(telegram.readBigUInt64LE(32)));
  expect(indices).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

test('clients over TCP get a segment when it is measured', async () => {
  const core = new DrivenCore();
  const scanner = await StreamingScanner.start({ core });
  const port = await freePort();
  scanner.sendScans(port, tcp);
  await settled();
  const receiver = await TcpReceiver.open(port);
  await scanner.runUntil(() => core.isRunning);
  core.begin(core.order.origin.number);
  core.pass(segmentBeams);
  await expect.poll(() => receiver.telegrams).toHaveLength(1);
  core.pass(3 * segmentBeams);
  await expect.poll(() => receiver.telegrams).toHaveLength(3);
});

test('live scans over a WebSocket come by segment, too', async () => {
  const core = new DrivenCore();
  const scanner = await TestScanner.start({ core });
  const client = await WebSocketClient.open(scanner.httpPort, { path: '/x/scan' });
  core.begin(core.order.origin.number);
  core.pass(2 * segmentBeams);
  await expect.poll(() => client.received).toHaveLength(2);
});
