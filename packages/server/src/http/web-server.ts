import type { Server } from 'node:http';
import type { Device } from '@azimuth/device';
import { Traffic } from '../metrics/traffic.js';
import type { Wire } from '../network/address-follower.js';
import { type Place, urlOf } from '../network/place.js';
import { httpServer } from './http-server.js';
import { MovingListener } from './moving-listener.js';
import { RateLimit } from './rate-limit.js';
import { Reception } from './reception.js';
import { Router } from './router.js';
import type { Timeouts } from './timeouts.js';
import { Turns } from './turns.js';

export interface WebServerFacts {
  /** 0 for any free one; once chosen it stays the same over reboots and moves. */
  readonly port: number;
  readonly maxConnections: number;
  /** Requests a second and client; undefined for no limit. */
  readonly rateLimit?: number;
  /** Those that are not stated are the usual ones. */
  readonly timeouts?: Partial<Timeouts>;
}

/** Everything that is served over HTTP: the interface of the specification under `/api/`, our own paths beside it. */
export class WebServer implements Wire {
  readonly name = 'The web server';
  readonly #device: Device;
  readonly #facts: WebServerFacts;
  readonly #traffic = new Traffic();
  readonly #turns: Turns;
  readonly #router: Router;
  readonly #rateLimit: RateLimit | undefined;
  readonly #listener: MovingListener;

  constructor(device: Device, facts: WebServerFacts) {
    this.#device = device;
    this.#facts = facts;
    this.#turns = new Turns((error) =>
      device.host.log.error('A request failed inside the scanner', { reason: String(error) }),
    );
    this.#router = new Router(device, this.#traffic, this.#turns);
    this.#rateLimit =
      facts.rateLimit === undefined ? undefined : new RateLimit(device.clock, facts.rateLimit);
    this.#listener = new MovingListener({ make: () => this.#server(), port: facts.port, flag: '--port' });
  }

  get place(): Place | undefined {
    return this.#listener.place;
  }

  get url(): string | undefined {
    return this.place === undefined ? undefined : urlOf(this.place);
  }

  /** @throws PortTaken */
  listenAt(host: string): Promise<void> {
    return this.#listener.listenAt(host);
  }

  /** Closes the listener and every connection, at once. */
  close(): void {
    this.#listener.close();
  }

  #server(): Server {
    const server = httpServer(this.#facts.timeouts);
    this.#reception().attach(server);
    return server;
  }

  #reception(): Reception {
    return new Reception({
      log: this.#device.host.log,
      maxConnections: this.#facts.maxConnections,
      rateLimit: this.#rateLimit,
      traffic: this.#traffic,
      turns: this.#turns,
      serve: (request, response) => this.#router.serve(request, response),
    });
  }
}
