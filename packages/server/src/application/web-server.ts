import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { CableWatch, HostAndPort, HttpPort, OpenPorts, RequestContext } from '@azimuth/http';
import { Listener } from '../network/listener.js';
import type { ListenerRegistry, ListeningAddress } from '../network/listening-address.js';
import type { Wire } from '../wire.js';
import { type ApplicationOptions, application } from './application.js';

/** What takes over requests that came to a listener of somebody else. */
export interface Requests {
  /** Requests so far, also those of its own listeners. */
  readonly received: number;
  /** Answers a request. */
  receive(context: RequestContext, response: ServerResponse): void;
  /** Is this request upgraded to a WebSocket? Called once for each, because it counts. */
  acceptsUpgrade(context: RequestContext): boolean;
  /** Takes its connection over then. @param head bytes that followed the request */
  upgrade(context: RequestContext, connection: Duplex, head: Buffer): void;
}

interface Options extends ApplicationOptions {
  readonly address: ListeningAddress;
  readonly listeners: ListenerRegistry;
  /** Undefined for a scanner whose network cable stays in. */
  readonly cable: CableWatch | undefined;
  /** Does it have a listener of its own? Without one, others hand over what they receive. */
  readonly listens: boolean;
  readonly openPorts: OpenPorts | undefined;
}

/** The web server of a scanner over HTTP. It is off from a boot at which SetWebserverEnabled has switched it off. */
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

  /** Was it on at the last boot? */
  get isOn(): boolean {
    return this.#isOn;
  }

  /** Its address; undefined while it does not listen. */
  get listeningAt(): HostAndPort | undefined {
    return this.#listener.listeningAt;
  }

  get url(): string | undefined {
    return this.#listener.url;
  }

  /** A number that stays the same while nothing comes and goes. */
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

  #readSwitch(): void {
    this.#isOn = this.#options.device.features.webserver.isEnabled;
  }

  get #isDue(): boolean {
    return this.#isOn && this.#options.listens;
  }
}
