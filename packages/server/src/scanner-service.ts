import { setImmediate } from 'node:timers/promises';
import { Device, type KeptState } from '@azimuth/device/device';
import type { KeptTraffic } from '@azimuth/http';
import type { Requests } from './application/web-server.js';
import type { KeptEventMetrics } from './events/event-metrics.js';
import type { ServiceOptions } from './service-options.js';
import { timeServers } from './time/sntp-client.js';
import { type Wires, wiresOf } from './wires.js';

/** Ports in use; null for a listener that is closed. */
export interface Ports {
  /** TCP port of the legacy interface A. */
  readonly legacyA: number | null;
  /** TCP port of the legacy interface B. */
  readonly legacyB: number | null;
  /** TCP port of HTTP. */
  readonly http: number | null;
  /** Port of HTTPS, also while HTTPS is down; null for a release without HTTPS. */
  readonly https: number | null;
  /** UDP port of the device search. */
  readonly search: number | null;
  /** TCP port of the control of a simulation. */
  readonly control: number | null;
  /** UDP port of velocities for a simulated vehicle. */
  readonly velocity: number | null;
}

/** The state of a scanner with its network services as plain values. */
export interface KeptService {
  /** Logins, challenges, values that are not saved, counts, and the last lines of the log. */
  readonly device: KeptState;
  /** Counts of requests. */
  readonly traffic: KeptTraffic;
  /** Counts of events and live scans. */
  readonly events: KeptEventMetrics;
}

/** Scanner with its network services: opens its wires, follows the device's reboots, closes them. */
export class ScannerService {
  /** The scanner without its network: reads, writes and calls without a request. */
  readonly device: Device;
  readonly #wires: Wires;

  private constructor(device: Device, options: ServiceOptions) {
    this.device = device;
    this.#wires = wiresOf(device, options);
  }

  /**
   * Starts a scanner and opens its ports.
   * @throws DowngradeRefused, PortTaken
   */
  static async start(options: ServiceOptions): Promise<ScannerService> {
    const device = await openDevice(options);
    const service = new ScannerService(device, options);
    try {
      await service.#open();
    } catch (error) {
      await service.close();
      throw error;
    }
    return service;
  }

  /** URL of the web server; undefined while nothing listens. */
  get url(): string | undefined {
    return this.#wires.web.url;
  }

  /** URL of the web server behind TLS; undefined while HTTPS is down. */
  get httpsUrl(): string | undefined {
    return this.#wires.https.url;
  }

  /** Receives requests that came to a listener of another port. */
  get requests(): Requests {
    return this.#wires.web.http;
  }

  /**
   * True if it serves requests now. It does not while it is down, or if its web server was switched off at its last
   * boot.
   */
  get serves(): boolean {
    return this.device.lifecycle.phase === 'up' && this.#wires.web.isOn;
  }

  /** The ports that are open now. */
  get ports(): Ports {
    const { places, https, search, control, velocity } = this.#wires;
    return {
      http: places.portOf('http'),
      https: https.port,
      legacyA: places.portOf('legacyA'),
      legacyB: places.portOf('legacyB'),
      search: search?.port ?? null,
      control: control?.port ?? null,
      velocity: velocity?.port ?? null,
    };
  }

  /**
   * Handles errors that nothing else has handled (for example in a timer of a measuring core or of a library), for a
   * process that runs only this scanner. Each is logged, counted and reported as DeviceStatus 7, and does not end the
   * process. Call it once. Programs that handle such errors themselves need not call it.
   */
  outliveErrors(): void {
    this.device.errors.outlive();
  }

  /**
   * Number that stays the same while nothing is received and sent: requests, telegrams, events, connections. Tests use
   * it to wait until all is done.
   */
  get activity(): number {
    const { web, legacy, streams } = this.#wires;
    return web.activity + (legacy?.activity ?? 0) + streams.telegramsSent + streams.clients;
  }

  /** Number of telegrams of data streams that were handed to the network since the start, once for each receiver. */
  get telegramsSent(): number {
    return this.#wires.streams.telegramsSent;
  }

  /** True if clients that search at the port of the device search find the scanner. */
  get isSearchOpen(): boolean {
    return this.#wires.search?.isOpen ?? false;
  }

  /**
   * Returns all that the scanner holds in memory beside its storage, for `takeUp` when it is started again. Undefined if it
   * holds more than that: then it has to run on. Connections are not part of it.
   */
  keep(): KeptService | undefined {
    const device = this.device.keep();
    const { traffic, eventMetrics } = this.#wires;
    return device && { device, traffic: traffic.kept, events: eventMetrics.kept };
  }

  /** Makes the scanner what it was before it was started again. Call it before it receives a request. */
  takeUp({ device, traffic, events }: KeptService): void {
    this.device.takeUp(device);
    this.#wires.traffic.takeUp(traffic);
    this.#wires.eventMetrics.takeUp(events);
  }

  /**
   * Closes everything. Unsaved changes are lost: to the scanner this is a power cut. When the promise is fulfilled, no socket
   * is left.
   */
  async close(): Promise<void> {
    // Ends the boots first: a boot in progress would open again what is closed here.
    this.device.lifecycle.end();
    const closed = await Promise.allSettled(this.#wires.list.toReversed().map(async (wire) => wire.close()));
    await this.device.close();
    // Waits for one pass of the event loop, because the system frees closed sockets after its immediates.
    await setImmediate();
    await setImmediate();
    for (const wire of closed) if (wire.status === 'rejected') throw wire.reason;
  }

  /**
   * Remembers the scanner: see `Device.remember`. Connections stay, unless the settings that are put back close them: with
   * the web server, or a legacy interface at another port.
   * @param outside put back what is outside of the scanner, before it
   * @returns a function that puts it back, as often as it is called
   */
  remember(outside: readonly (() => unknown)[] = []): () => Promise<void> {
    const putBackDevice = this.device.remember(outside);
    const putBackWeb = this.#wires.web.remember();
    return async () => {
      await putBackDevice();
      await putBackWeb();
    };
  }

  async #open(): Promise<void> {
    const { lifecycle } = this.device;
    for (const wire of this.#wires.list.toReversed()) lifecycle.onDown(() => wire.down?.());
    for (const wire of this.#wires.list) {
      lifecycle.onUp(() => wire.up?.());
      await wire.open();
    }
  }
}

/** @throws the errors of Device.open; the storage is released then */
async function openDevice(options: ServiceOptions): Promise<Device> {
  const { device, clock, hardware, timeServerPort, faults } = options;
  const servers = timeServers({ clock, random: device.random, port: timeServerPort }, faults?.link);
  try {
    return await Device.open({
      ...device,
      timeServers: device.timeServers ?? servers,
      clock,
      hardware,
    });
  } catch (error) {
    await device.storage.close();
    throw error;
  }
}
