import { setImmediate } from 'node:timers/promises';
import type { CoreSource } from '@azimuth/device';
import { MemoryStorage, type Passwords, type Storage, SystemRandom, VirtualClock } from '@azimuth/device';
import type { PlugPins, Product, Variant } from '@azimuth/model';
import {
  type LegacyPorts,
  type NetworkOptions,
  ScannerService,
  type VehicleOptions,
  type WebServerOptions,
} from '@azimuth/server';
import { usualCore, VirtualHardware } from '@azimuth/simulation';
import { virtualControls } from '@azimuth/simulation/control';
import { type FaultPlan, FaultTimeline } from '@azimuth/simulation/faults';
import { onTestFinished } from 'vitest';
import { Client } from './client.js';
import { freePort } from './free-port.js';
import { number } from './json.js';
import { LogBook } from './log-book.js';

export const bootMilliseconds = 2000;

export interface TestScannerOptions {
  readonly clock?: VirtualClock;
  /** The product; the built-in one by default. */
  readonly product?: Product;
  /** The release, or the version of the product. */
  readonly release?: string;
  readonly variant?: Variant;
  readonly core?: CoreSource;
  readonly serial?: string;
  readonly storage?: Storage;
  readonly web?: Partial<WebServerOptions>;
  readonly network?: Partial<NetworkOptions>;
  readonly hardware?: (log: LogBook) => VirtualHardware;
  readonly controlPort?: number;
  /** The vehicle, its velocity port and its odometry; none by default. */
  readonly vehicle?: VehicleOptions;
  /** Ports of the legacy interfaces; any free ones by default. */
  readonly legacy?: LegacyPorts | 'closed';
  /** Port of the device search; closed by default. */
  readonly searchPort?: number;
  readonly dnsSd?: boolean;
  /** True for a scanner with only what devices have. */
  readonly asDevice?: boolean;
  readonly timeServerPort?: number;
  readonly ptpPorts?: { readonly event: number; readonly general: number };
  /** Planned faults. With a control port, there can be more. */
  readonly faults?: FaultPlan;
  /** The pins of its plug; 12 by default. */
  readonly plug?: PlugPins;
  /** Passwords of a new scanner that differ from those of the factory. */
  readonly passwords?: Passwords;
  /** Parameters of a new scanner that differ from the factory defaults. */
  readonly initialParameters?: Readonly<Record<string, unknown>>;
}

/** A whole scanner in memory and on virtual time, on ports that it has again after a reboot. It ends with the test. */
export class TestScanner {
  private constructor(
    readonly service: ScannerService,
    readonly clock: VirtualClock,
    readonly log: LogBook,
    readonly timeline: FaultTimeline | undefined,
    readonly hardware: VirtualHardware,
  ) {}

  static async start({
    clock = new VirtualClock(),
    product,
    release,
    variant = 'full',
    core,
    serial = '12345678',
    storage = new MemoryStorage(),
    web = {},
    network = {},
    hardware: makeHardware,
    controlPort,
    vehicle,
    legacy,
    searchPort,
    dnsSd = false,
    asDevice,
    timeServerPort,
    ptpPorts,
    faults: plan,
    initialParameters = {},
    passwords,
    plug,
  }: TestScannerOptions = {}): Promise<TestScanner> {
    const log = new LogBook();
    const random = new SystemRandom();
    const hardware = makeHardware?.(log) ?? new VirtualHardware(log, { bootMilliseconds });
    // As `azimuth serve` does: without a plan and a control port, there is no fault timeline.
    const isPlain = plan === undefined && controlPort === undefined;
    const faults = isPlain ? undefined : new FaultTimeline({ clock, hardware });
    if (plan !== undefined) faults?.add(plan);
    const service = await ScannerService.start({
      device: {
        identity: { serialNumber: serial },
        product,
        random,
        storage: faults?.storage(storage) ?? storage,
        variant,
        initialParameters,
        passwords,
        plug,
        release,
        core: core ?? (() => usualCore(random, hardware)),
      },
      clock,
      hardware,
      network: { address: '127.0.0.1', ...network },
      web: { port: web.port ?? (await freePort()), maxConnections: 100, metricsFreshFor: 0, ...web },
      legacy: legacy === 'closed' ? undefined : (legacy ?? (await freeLegacyPorts())),
      control:
        controlPort === undefined
          ? undefined
          : { port: controlPort, controls: virtualControls(clock, hardware, faults) },
      vehicle,
      searchPort,
      dnsSd,
      asDevice,
      faults,
      timeServerPort,
      ptpPorts,
    });
    onTestFinished(() => service.close());
    return new TestScanner(service, clock, log, faults, hardware);
  }

  /** Of a scanner that was started with a plan, or with a control port. */
  get faults(): FaultTimeline {
    if (this.timeline === undefined) throw new Error('a scanner without faults');
    return this.timeline;
  }

  get httpPort(): number {
    return number(this.service.ports.http);
  }

  get httpsPort(): number {
    return number(this.service.ports.https);
  }

  get portA(): number {
    return number(this.service.ports.legacyA);
  }

  get portB(): number {
    return number(this.service.ports.legacyB);
  }

  get controlPort(): number {
    return number(this.service.ports.control);
  }

  /** A client with one connection, kept for the test. */
  client(): Client {
    const client = new Client(this.httpPort, { keepAlive: true });
    onTestFinished(() => client.close());
    return client;
  }

  /** Lets time pass in small steps. After each one the sockets in this process are served. */
  async pass(milliseconds: number, step = 10): Promise<void> {
    for (let left = milliseconds; left > 0; left -= step) {
      this.clock.advance(Math.min(step, left));
      for (let iteration = 0; iteration < 3; iteration += 1) await setImmediate();
    }
  }
}

async function freeLegacyPorts(): Promise<LegacyPorts> {
  return { portA: await freePort(), portB: await freePort() };
}
