import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { CableWatch, HostAndPort, HttpPort, OpenPorts, RequestContext } from '@azimuth/http';
import { Listener } from '../network/listener.js';
import type { ListenerRegistry, ListeningAddress } from '../network/listening-address.js';
import type { Wire } from '../wire.js';
import { type ApplicationOptions, application } from './application.js';

/** Service that takes over requests that came to a listener of another port. */
export interface Requests {
  /** Number of requests so far, also those of its own listeners. */
  readonly received: number;
  /** Responds to a request. */
  receive(context: RequestContext, response: ServerResponse): void;
  /**
   * Returns true if this request is upgraded to a WebSocket. Called once for each request, because the call counts it.
   */
  acceptsUpgrade(context: RequestContext): boolean;
  /** Takes over the connection of an upgraded request. @param head bytes that followed the request */
  upgrade(context: RequestContext, connection: Duplex, head: Buffer): void;
}

interface Options extends ApplicationOptions {
  readonly address: ListeningAddress;
  readonly listeners: ListenerRegistry;
  /** Network cable; undefined for a scanner whose cable stays in. */
  readonly cable: CableWatch | undefined;
  /** True if it has a listener of its own. Without one, other ports hand over the requests that they receive. */
  readonly listens: boolean;
  readonly openPorts: OpenPorts | undefined;
}

/** Web server of a scanner over HTTP. If SetWebserverEnabled has switched it off, it is off from the next boot on. */
export class WebServer implements Wire {
  readonly http: HttpPort;
  readonly #options: Options;
  readonly #listener: Listener;
  readonly #stateChanged = new Set<() => void>();
  #isOn = true;

  constructor(options: Options) {
    const { device, web, address, listeners, openPorts, cable } = options;
    const { clock, hardware } = device;
    this.#options = options;
    this.http = application(options);
    listeners.add('http', this);
    this.#listener = new Listener({
      name: 'The web server',
      scheme: 'http',
      port: () => web.port,
      flag: '--port',
      openPorts,
      address,
      clock,
      log: hardware.log,
      make: () => {
        const listener = this.http.listener(web.timeouts);
        cable?.watch(listener);
        return listener;
      },
      stateChanged: () => {
        for (const listener of this.#stateChanged) listener();
      },
    });
  }

  /** True if it was on at the last boot. */
  get isOn(): boolean {
    return this.#isOn;
  }

  /** Address of the listener; undefined while it does not listen. */
  get listeningAt(): HostAndPort | undefined {
    return this.#listener.listeningAt;
  }

  get url(): string | undefined {
    return this.#listener.url;
  }

  /** Number that stays the same while nothing comes and goes. */
  get activity(): number {
    const { traffic, eventMetrics } = this.#options;
    return traffic.total + eventMetrics.total;
  }

  /** Calls `listener` when it may have been opened, moved or closed. */
  onStateChange(listener: () => void): void {
    this.#stateChanged.add(listener);
  }

  /** @throws PortTaken */
  async open(): Promise<void> {
    this.#readSwitch();
    if (this.#isDue) await this.#listener.open();
  }

  down(): void {
    this.#listener.close();
  }

  up(): void {
    this.#readSwitch();
    if (this.#isDue) this.#listener.reopen();
  }

  close(): void {
    this.#listener.close();
  }

  /** Remembers whether it was on at the last boot. The returned function opens or closes it again. */
  remember(): () => Promise<void> {
    const isOn = this.#isOn;
    return async () => {
      if (this.#isOn === isOn) return;
      this.#isOn = isOn;
      if (this.#isDue) await this.#listener.open();
      else this.#listener.close();
    };
  }

  #readSwitch(): void {
    this.#isOn = this.#options.device.features.webserver.isEnabled;
  }

  get #isDue(): boolean {
    return this.#isOn && this.#options.listens;
  }
}
