import { Device, type DeviceFacts, type MovableClock } from '@azimuth/device';
import { controlCommands } from './control/commands.js';
import { ControlPort } from './control/control-port.js';
import { WebServer, type WebServerFacts } from './http/web-server.js';
import type { VirtualHost } from './virtual-host.js';

export interface ServiceFacts {
  readonly device: Omit<DeviceFacts, 'clock' | 'host'>;
  readonly clock: MovableClock;
  readonly host: VirtualHost;
  readonly web: WebServerFacts;
  /** Opened only where it is stated; 0 for any free one. */
  readonly controlPort?: number;
}

/** The ports in use; null for what does not listen. */
export interface Ports {
  readonly http: number | null;
  readonly https: number | null;
  readonly legacyA: number | null;
  readonly legacyB: number | null;
  readonly search: number | null;
  readonly control: number | null;
}

const reopenAfter = 1000;

/** A scanner with its wires: opens them, follows the device's reboots, closes them. */
export class ScannerService {
  readonly device: Device;
  readonly #web: WebServer;
  readonly #control: ControlPort;
  #controlPort: number | null = null;

  private constructor(device: Device, { clock, host, web }: ServiceFacts) {
    this.device = device;
    this.#web = new WebServer(device, web);
    this.#control = new ControlPort(controlCommands(device, clock, host), () => ({
      up: device.lifecycle.phase === 'up',
      temperature: host.temperature(),
      network: device.network.reachable,
    }));
  }

  /**
   * Starts a scanner and opens its ports.
   * @throws DowngradeRefused, PortTaken
   */
  static async start(facts: ServiceFacts): Promise<ScannerService> {
    const device = await openDevice(facts);
    const service = new ScannerService(device, facts);
    try {
      await service.#open(facts.controlPort);
    } catch (error) {
      await service.close();
      throw error;
    }
    return service;
  }

  get ports(): Ports {
    return {
      http: this.#web.port ?? null,
      https: null,
      legacyA: null,
      legacyB: null,
      search: null,
      control: this.#controlPort,
    };
  }

  /** Closes everything. Nothing is saved that was not saved: to the scanner this is a power cut. */
  async close(): Promise<void> {
    this.#web.close();
    this.#control.close();
    await this.device.close();
  }

  async #open(controlPort: number | undefined): Promise<void> {
    const { lifecycle, state } = this.device;
    if (state.content.webserverEnabled) await this.#web.open();
    lifecycle.onDown(() => this.#web.close());
    lifecycle.onUp(() => {
      if (state.content.webserverEnabled) void this.#reopen();
    });
    if (controlPort !== undefined) this.#controlPort = await this.#control.open(controlPort);
  }

  /** After a boot: a port that somebody else has taken meanwhile is asked for again until it is free. */
  async #reopen(): Promise<void> {
    const { clock, host, lifecycle } = this.device;
    try {
      await this.#web.open();
    } catch (error) {
      host.log.error('The web server cannot open its port; trying again', { reason: String(error) });
      clock.after(reopenAfter, () => {
        if (lifecycle.phase === 'up' && this.#web.port === undefined) void this.#reopen();
      });
    }
  }
}

/** @throws what Device.open throws; the storage is given back then. */
async function openDevice({ device, clock, host }: ServiceFacts): Promise<Device> {
  try {
    return await Device.open({ ...device, clock, host });
  } catch (error) {
    await device.storage.close();
    throw error;
  }
}
