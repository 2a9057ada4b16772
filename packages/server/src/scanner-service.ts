import { Device, type DeviceFacts, type MovableClock, TemperatureModel } from '@azimuth/device';
import type { ControlPort } from './control/control-port.js';
import { frontDesk, type WebServerFacts } from './http/front-desk.js';
import { httpServer } from './http/http-server.js';
import { WebServer } from './http/web-server.js';
import { AddressFollower } from './network/address-follower.js';
import { ListeningAddress, type NetworkFacts } from './network/listening-address.js';
import type { Place } from './network/place.js';
import { DataStreams } from './streams/data-streams.js';
import { HttpsInterface } from './tls/https-interface.js';
import type { VirtualHost } from './virtual-host.js';

export interface ServiceFacts {
  readonly device: Omit<DeviceFacts, 'clock' | 'host'>;
  readonly clock: MovableClock;
  readonly host: VirtualHost;
  readonly network: NetworkFacts;
  readonly web: WebServerFacts;
  /** Opened only where it is stated; 0 for any free one. */
  readonly controlPort?: number;
}

/** The ports in use; null for what does not listen. */
export interface Ports {
  readonly http: number | null;
  /** The one to be used while HTTPS is down; null for a release that has none. */
  readonly https: number | null;
  readonly legacyA: number | null;
  readonly legacyB: number | null;
  readonly search: number | null;
  readonly control: number | null;
}

/** A scanner with its wires: opens them, follows the device's reboots, closes them. */
export class ScannerService {
  readonly device: Device;
  readonly #web: WebServer;
  readonly #follower: AddressFollower;
  readonly #https: HttpsInterface;
  readonly #streams: DataStreams;
  #control: ControlPort | undefined;
  #controlPort: number | null = null;
  #temperature: TemperatureModel | undefined;

  private constructor(device: Device, { clock, host, network, web }: ServiceFacts) {
    this.device = device;
    const address = new ListeningAddress(network, device.network);
    this.#streams = new DataStreams({ device, address, mode: network.mode });
    const reception = frontDesk(device, web, this.#streams);
    const { port, httpsPort = 0, timeouts } = web;
    this.#web = new WebServer({
      name: 'The web server',
      scheme: 'http',
      port,
      flag: '--port',
      make: () => {
        const server = httpServer(timeouts);
        reception.attach(server);
        return server;
      },
    });
    const { log } = host;
    this.#follower = new AddressFollower({ wire: this.#web, address, clock, log });
    this.#https = new HttpsInterface({ device, reception, address, clock, log, port: httpsPort, timeouts });
  }

  /**
   * Starts a scanner and opens its ports.
   * @throws DowngradeRefused, PortTaken
   */
  static async start(facts: ServiceFacts): Promise<ScannerService> {
    const device = await openDevice(facts);
    const service = new ScannerService(device, facts);
    service.#warmUp(facts);
    device.network.offer(facts.network.dhcp);
    try {
      await service.#open(facts);
    } catch (error) {
      await service.close();
      throw error;
    }
    return service;
  }

  /** A scanner gets warm by what it does; without somebody who sets its temperature, it has that of the model. */
  #warmUp({ clock, host }: ServiceFacts): void {
    const { device } = this;
    this.#temperature = new TemperatureModel(clock, () => device.temperatureChanged());
    host.measureBy(this.#temperature);
    device.conditions.onChange(() => this.#temperature?.works(device.measuring.state));
    this.#temperature.works(device.measuring.state);
  }

  /** The URL of the web server; undefined while nothing listens. */
  get url(): string | undefined {
    return this.#web.url;
  }

  /** The URL of the web server behind TLS; undefined while HTTPS is down. */
  get httpsUrl(): string | undefined {
    return this.#https.url;
  }

  get ports(): Ports {
    return {
      http: this.#web.place?.port ?? null,
      https: this.#https.port,
      legacyA: null,
      legacyB: null,
      search: null,
      control: this.#controlPort,
    };
  }

  /** Closes everything. Nothing is saved that was not saved: to the scanner this is a power cut. */
  async close(): Promise<void> {
    this.#follower.close();
    this.#https.close();
    this.#streams.close();
    this.#control?.close();
    this.#temperature?.end();
    await this.device.close();
  }

  async #open(facts: ServiceFacts): Promise<void> {
    const { lifecycle, state } = this.device;
    lifecycle.onDown(() => {
      this.#follower.close();
      this.#https.close();
      this.#streams.close();
    });
    lifecycle.onUp(() => {
      void this.#streams.open();
      if (!state.content.webserverEnabled) return;
      this.#follower.reopen();
      this.#https.reopen();
    });
    if (state.content.webserverEnabled) {
      await this.#follower.open();
      await this.#https.open();
    }
    await this.#https.choosePort();
    await this.#streams.open();
    if (facts.controlPort !== undefined) await this.#openControl(facts.controlPort, facts);
  }

  async #openControl(port: number, { clock, host }: ServiceFacts): Promise<void> {
    // Loaded where it is asked for, so that a scanner starts without it.
    const { controlPort } = await import('./control/commands.js');
    const places = () => ({ http: placeOf(this.#web), https: placeOf(this.#https) });
    this.#control = controlPort({ device: this.device, clock, host, places });
    this.#controlPort = await this.#control.open(port);
  }
}

function placeOf({ place }: { readonly place: Place | undefined }): Place | null {
  return place === undefined ? null : { host: place.host, port: place.port };
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
