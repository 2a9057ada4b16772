import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import {
  type Clock,
  type Controls,
  Device,
  type DeviceOptions,
  type Faults,
  type Host,
  type TimeServers,
} from '@azimuth/device';
import { ptpEventPort, ptpGeneralPort } from '@azimuth/telegrams/ptp/ports';
import { application, type WebServerOptions } from './application/application.js';
import { ControlInterface } from './control/control-interface.js';
import { ControlPort } from './control/control-port.js';
import type { DnsSd } from './dns-sd/dns-sd.js';
import type { HttpServer } from './http/http-server.js';
import { httpListener, WebListener } from './http/web-listener.js';
import { LegacyInterfaces, type LegacyPorts } from './legacy/legacy-interfaces.js';
import { AddressFollower } from './network/address-follower.js';
import { CableWatch } from './network/cable-watch.js';
import type { HostAndPort } from './network/listen.js';
import { ListeningAddress, type NetworkOptions } from './network/listening-address.js';
import type { OpenPorts } from './network/open-ports.js';
import { SearchWire } from './search/search-wire.js';
import { DataStreams } from './streams/data-streams.js';
import { PtpPorts } from './time/ptp-ports.js';
import { askTime } from './time/sntp-client.js';
import { HttpsInterface } from './tls/https-interface.js';

/** The hardware that a scanner with its wires runs on. */
export interface ServiceHost extends Host {
  /**
   * Called when the device is open, before its ports are opened. Returns a function to call when the scanner is closed.
   */
  attach?(device: Device): () => void;
}

/** Planned faults of a scanner, for tests. */
export interface ServiceFaults extends Faults {
  /** Called when the device is open, before its ports are opened. Returns a function to call when the scanner is closed. */
  attach(device: Device): () => void;
}

/** A control port, and what it does and shows. */
export interface ControlOptions {
  /** 0 for any free one; undefined if only pages of the scanner control it. */
  readonly port?: number;
  readonly controls: (device: Device) => Controls;
}

export interface ServiceOptions {
  readonly device: Omit<DeviceOptions, 'clock' | 'host'>;
  readonly clock: Clock;
  readonly host: ServiceHost;
  readonly network: NetworkOptions;
  readonly web: WebServerOptions;
  /** The legacy interfaces; undefined if they are disabled. */
  readonly legacy?: LegacyPorts;
  /** The UDP port of the device search: 0 for any free port, undefined if it is disabled. */
  readonly searchPort?: number;
  /** Is the web server announced by DNS-SD? */
  readonly dnsSd?: boolean;
  /** IPv4 addresses at which native ROS 2 announces the scanner, beside multicast. */
  readonly rosPeers?: readonly string[];
  /** Undefined if it is disabled. */
  readonly control?: ControlOptions;
  /** Undefined for a scanner without faults on demand. */
  readonly faults?: ServiceFaults;
  /** Ports of HTTP and of the legacy protocol that are open before the scanner starts, which then takes them over. */
  readonly openPorts?: OpenPorts;
  /** Does it have a web server of its own? By default, it does. Without one, `requests` takes what others have received. */
  readonly listens?: boolean;
  /** The UDP port of time servers; default 123. */
  readonly timeServerPort?: number;
  /** The UDP ports of PTP; default 319 and 320. They are opened only while TSCRole is TX_PTP_SLAVE. */
  readonly ptpPorts?: { readonly event: number; readonly general: number };
}

/** The ports in use; null for what does not listen. */
export interface Ports {
  readonly http: number | null;
  /** Its port, also while HTTPS is down; null for a release without HTTPS. */
  readonly https: number | null;
  readonly legacyA: number | null;
  readonly legacyB: number | null;
  readonly search: number | null;
  readonly control: number | null;
}

/** Delay (ms) before a started scanner is announced: its start does not wait for the announcement. */
const announceAfter = 250;

/** What takes over requests that came to a listener of somebody else. */
export interface Requests {
  /** Requests so far, also those of its own listeners. */
  readonly received: number;
  /** Answers a request. */
  receive(request: IncomingMessage, response: ServerResponse): void;
  /** Is this request upgraded to a WebSocket? Called once for each, because it counts. */
  takesUpgrade(request: IncomingMessage): boolean;
  /** Takes its connection over then. @param head bytes that followed the request */
  upgrade(request: IncomingMessage, connection: Duplex, head: Buffer): void;
}

/** A scanner with its network services: opens them, follows the device's reboots, closes them. */
export class ScannerService {
  readonly device: Device;
  readonly #http: HttpServer;
  readonly #web: WebListener;
  readonly #follower: AddressFollower;
  readonly #https: HttpsInterface;
  readonly #streams: DataStreams;
  readonly #address: ListeningAddress;
  readonly #ptp: PtpPorts;
  #legacy: LegacyInterfaces | undefined;
  #search: SearchWire | undefined;
  #dnsSd: DnsSd | undefined;
  #announcing: NodeJS.Timeout | undefined;
  /** Distinguishes it from other scanners with the same serial number in searches. */
  readonly #instance = randomBytes(4).toString('hex');
  #control: ControlPort | undefined;
  #controlInterface: ControlInterface | undefined;
  #controlPort: number | null = null;
  #detach: (() => void) | undefined;
  /** As of the last boot. */
  #isWebserverOn = true;
  #endFaults: (() => void) | undefined;
  readonly #cable: CableWatch | undefined;
  readonly #faults: Faults | undefined;

  readonly #listens: boolean;

  private constructor(device: Device, ptp: PtpPorts, options: ServiceOptions) {
    const { network, web, rosPeers, faults, listens = true, openPorts } = options;
    this.#listens = listens;
    this.device = device;
    this.#ptp = ptp;
    const { clock } = device;
    const address = new ListeningAddress(network, device.network);
    this.#address = address;
    const cable = faults === undefined ? undefined : new CableWatch(faults.link, web.shared?.connections);
    this.#cable = cable;
    this.#faults = faults;
    this.#streams = new DataStreams({ device, address, mode: network.mode, rosPeers, faults, cable });
    const http = application(
      device,
      web,
      this.#streams,
      () => this.#legacy,
      () => this.#controlInterface,
      faults,
    );
    this.#http = http;
    const { port, httpsPort = 0, timeouts } = web;
    this.#web = new WebListener({
      name: 'The web server',
      scheme: 'http',
      port,
      flag: '--port',
      openPorts,
      make: () => {
        const listener = httpListener(timeouts, (request) => http.takesUpgrade(request));
        http.attach(listener);
        cable?.watch(listener);
        return listener;
      },
      settled: () => void this.#dnsSd?.follow(),
    });
    const { log } = device.host;
    this.#follower = new AddressFollower({ listener: this.#web, address, clock, log });
    this.#https = new HttpsInterface({ device, http, address, clock, log, port: httpsPort, timeouts, cable });
  }

  /**
   * Starts a scanner and opens its ports.
   * @throws DowngradeRefused, PortTaken
   */
  static async start(facts: ServiceOptions): Promise<ScannerService> {
    const ptp = ptpPorts(facts, (error) => service?.device.errors.report('ptp', error));
    let service: ScannerService | undefined;
    const device = await openDevice(facts, ptp);
    service = new ScannerService(device, ptp, facts);
    service.#detach = facts.host.attach?.(device);
    try {
      service.#endFaults = facts.faults?.attach(device);
      device.network.offer(facts.network.dhcp);
      await service.#open(facts);
    } catch (error) {
      await service.close();
      throw error;
    }
    return service;
  }

  /** The URL of the web server; undefined while nothing listens. */
  get url(): string | undefined {
    return this.#web.url;
  }

  /** The URL of the web server behind TLS; undefined while HTTPS is down. */
  get httpsUrl(): string | undefined {
    return this.#https.url;
  }

  /** Takes requests that came to a listener of somebody else. */
  get requests(): Requests {
    return this.#http;
  }

  /** Does it answer requests now? Not while it is down, or if its web server was switched off at its last boot. */
  get serves(): boolean {
    return this.device.lifecycle.phase === 'up' && this.#isWebserverOn;
  }

  get ports(): Ports {
    return {
      http: this.#web.listeningAt?.port ?? null,
      https: this.#https.port,
      legacyA: this.#legacy?.a?.port ?? null,
      legacyB: this.#legacy?.b?.port ?? null,
      search: this.#search?.port ?? null,
      control: this.#controlPort,
    };
  }

  /**
   * The last resort of a process that runs only this scanner: an error that nothing else has handled (for example in a
   * timer of a measuring core or of a library) is logged, counted and reported as DeviceStatus 7, and does not end the
   * process. Call it once. Programs that handle such errors themselves need not call it.
   */
  outliveErrors(): void {
    this.device.errors.outlive();
  }

  /**
   * A number that stays the same while nothing is received and sent: requests, telegrams, events, connections. For
   * tests that wait until all is done.
   */
  get activity(): number {
    const { telegrams, sessions = 0 } = this.#legacy?.metrics ?? {};
    const legacy = (telegrams?.of('in') ?? 0) + (telegrams?.of('out') ?? 0) + sessions;
    return this.#http.trafficTotal + legacy + this.telegramsSent + this.#streams.clients;
  }

  /** Telegrams of data streams that were handed to the network since the start, once for each receiver. */
  get telegramsSent(): number {
    return Object.values(this.#streams.metrics).reduce((sum, { telegrams }) => sum + telegrams, 0);
  }

  /** Is the scanner found by clients that search at the port of the device search? */
  get answersSearch(): boolean {
    return this.#search?.answers ?? false;
  }

  /**
   * Closes everything. Unsaved changes are lost: to the scanner this is a power cut. When the promise is fulfilled, no socket
   * is left.
   */
  async close(): Promise<void> {
    // First, or a boot that is under way would open again what is closed here.
    this.device.lifecycle.end();
    this.#follower.close();
    this.#https.close();
    this.#streams.close();
    this.#legacy?.close();
    this.#search?.close();
    this.#ptp.close();
    clearTimeout(this.#announcing);
    this.#announcing = undefined;
    await this.#dnsSd?.close();
    this.#control?.close();
    this.#endFaults?.();
    this.#cable?.close();
    this.#detach?.();
    await this.device.close();
    // The system frees closed sockets behind the immediates of a pass of the event loop.
    await setImmediate();
    await setImmediate();
  }

  async #open(facts: ServiceOptions): Promise<void> {
    const { lifecycle, state, errors } = this.device;
    // Each is closed separately: an error in one does not keep another open.
    lifecycle.onDown(() => this.#follower.close());
    lifecycle.onDown(() => this.#https.close());
    lifecycle.onDown(() => this.#streams.close());
    lifecycle.onDown(() => this.#legacy?.close());
    lifecycle.onDown(() => this.#search?.close());
    lifecycle.onUp(() => errors.contain('streams', () => this.#streams.open()));
    lifecycle.onUp(() => this.#legacy?.reopen());
    lifecycle.onUp(() => errors.contain('search', () => this.#search?.open()));
    lifecycle.onUp(() => {
      this.#isWebserverOn = state.content.webserverEnabled;
      if (!this.#isWebserverOn || !this.#listens) return;
      this.#follower.reopen();
      this.#https.reopen();
    });
    this.#isWebserverOn = state.content.webserverEnabled;
    if (this.#listens) {
      if (this.#isWebserverOn) {
        await this.#follower.open();
        await this.#https.open();
      }
      await this.#https.choosePort();
    }
    this.#ptp.listenAt(this.#address);
    this.#streams.open();
    if (facts.legacy !== undefined) await this.#openLegacy(facts.legacy, facts.openPorts);
    if (facts.searchPort !== undefined) await this.#openSearch(facts.searchPort);
    if (facts.dnsSd === true) {
      const announce = () => errors.contain('dns_sd', () => this.#announce());
      this.#announcing = setTimeout(announce, announceAfter).unref();
    }
    if (facts.control !== undefined) await this.#openControl(facts.control);
  }

  async #openLegacy(ports: LegacyPorts, openPorts: OpenPorts | undefined): Promise<void> {
    this.#legacy = new LegacyInterfaces({
      device: this.device,
      address: this.#address,
      ports,
      openPorts,
      faults: this.#faults,
      cable: this.#cable,
    });
    await this.#legacy.open();
  }

  async #openSearch(port: number): Promise<void> {
    const { device } = this;
    this.#search = new SearchWire({
      device,
      address: this.#address,
      port,
      legacy: () => this.ports,
      http: () => this.#web.listeningAt,
      instance: this.#instance,
      clock: device.clock,
      log: device.host.log,
      link: this.#faults?.link,
    });
    await this.#search.open();
  }

  async #announce(): Promise<void> {
    // It is not needed for the first answer.
    const { DnsSd } = await import('./dns-sd/dns-sd.js');
    if (this.#announcing === undefined) return;
    const { device } = this;
    const { clock, host } = device;
    const http = () => this.#web.listeningAt;
    const https = () => this.#https.listeningAt;
    const link = this.#faults?.link;
    this.#dnsSd = new DnsSd({ device, http, https, instance: this.#instance, clock, log: host.log, link });
    return this.#dnsSd.follow();
  }

  async #openControl({ port, controls }: ControlOptions): Promise<void> {
    const listeners = () => ({
      http: listenerOf(this.#web),
      https: listenerOf(this.#https),
      legacyA: listenerOf({ listeningAt: this.#legacy?.a }),
      legacyB: listenerOf({ listeningAt: this.#legacy?.b }),
    });
    this.#controlInterface = new ControlInterface(controls(this.device), listeners);
    if (port === undefined) return;
    this.#control = new ControlPort({
      control: this.#controlInterface,
      refused: (reason) => this.#http.countRefusal(reason),
      errors: this.device.errors,
    });
    this.#controlPort = await this.#control.open(port);
  }
}

function listenerOf({ listeningAt }: { readonly listeningAt: HostAndPort | undefined }): HostAndPort | null {
  return listeningAt === undefined ? null : { host: listeningAt.host, port: listeningAt.port };
}

/** @throws what Device.open throws; the storage is released then. */
async function openDevice(facts: ServiceOptions, ptp: PtpPorts): Promise<Device> {
  const { device, clock, host } = facts;
  try {
    return await Device.open({ timeServers: timeServers(facts), ptp, ...device, clock, host });
  } catch (error) {
    await device.storage.close();
    throw error;
  }
}

/** The time client of the scanner. */
function timeServers({ clock, device, timeServerPort = 123, faults }: ServiceOptions): TimeServers {
  const facts = { clock, random: device.random, port: timeServerPort };
  return {
    ask: async (address, signal) =>
      faults?.link.down === undefined
        ? askTime(facts, address, signal)
        : { kind: 'none', reason: 'the network cable is pulled out' },
  };
}

/** The PTP ports of the scanner. */
function ptpPorts(
  { clock, ptpPorts: ports = { event: ptpEventPort, general: ptpGeneralPort }, faults }: ServiceOptions,
  failed: (error: unknown) => void,
): PtpPorts {
  return new PtpPorts({ clock, ports, failed, link: faults?.link });
}
