import { createServer, type Server } from 'node:http';
import type { Device } from '@azimuth/device';
import { listen } from './listen.js';
import { RateLimit } from './rate-limit.js';
import { Reception } from './reception.js';
import { Router } from './router.js';

export interface WebServerFacts {
  readonly host: string;
  /** 0 for any free one; once chosen it stays the same over reboots. */
  readonly port: number;
  readonly maxConnections: number;
  /** Requests a second and client; undefined for no limit. */
  readonly rateLimit?: number;
}

/** Everything that is served over HTTP: the interface of the specification under `/api/`, our own paths beside it. */
export class WebServer {
  readonly #device: Device;
  readonly #facts: WebServerFacts;
  readonly #router: Router;
  readonly #rateLimit: RateLimit | undefined;
  #server: Server | undefined;
  #opening: object | undefined;
  #port: number;

  constructor(device: Device, facts: WebServerFacts) {
    this.#device = device;
    this.#facts = facts;
    this.#port = facts.port;
    this.#router = new Router(device);
    this.#rateLimit =
      facts.rateLimit === undefined ? undefined : new RateLimit(device.clock, facts.rateLimit);
  }

  /** The port it listens on, or will; undefined while nothing listens. */
  get port(): number | undefined {
    return this.#server === undefined ? undefined : this.#port;
  }

  /** @throws PortTaken */
  async open(): Promise<void> {
    // Reception refuses a missing Host itself, in JSON.
    const server = createServer({ requireHostHeader: false });
    this.#reception().attach(server);
    const wish = { server };
    this.#opening = wish;
    const port = await listen(server, this.#facts.host, this.#port, '--port');
    // Closed while the port was being opened: then it is not to be open.
    if (this.#opening !== wish) {
      server.close();
      server.closeAllConnections();
      return;
    }
    this.#port = port;
    this.#server = server;
  }

  /** Closes the listener and every connection, at once. */
  close(): void {
    this.#opening = undefined;
    this.#server?.close();
    this.#server?.closeAllConnections();
    this.#server = undefined;
  }

  #reception(): Reception {
    return new Reception({
      log: this.#device.host.log,
      maxConnections: this.#facts.maxConnections,
      rateLimit: this.#rateLimit,
      serve: (request, response) => this.#router.serve(request, response),
    });
  }
}
