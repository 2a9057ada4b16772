import { createServer, type Server, type Socket } from 'node:net';
import { listen, PortInUse, PortTaken } from '../http/listen.js';
import type { Wire } from '../network/address-follower.js';
import type { Place } from '../network/place.js';

interface Open extends Place {
  readonly server: Server;
}

interface Facts {
  readonly port: () => number;
  /** Told when it has begun to listen. */
  readonly opened: () => void;
  readonly connected: (socket: Socket) => void;
  /** Closes whoever is connected. */
  readonly disconnect: () => void;
}

/** Listeners on all addresses of a machine: while one is open, its port is taken on each of them. */
const everyAddress: readonly string[] = ['0.0.0.0', '::'];

/** The listener that receivers of data streams connect to. */
export class TelegramServer implements Wire {
  readonly name = 'The TCP server of data streams';
  readonly #facts: Facts;
  #open: Open | undefined;
  /** What it is to be, from `listenAt` until `close`. */
  #wish: object | undefined;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  get place(): Place | undefined {
    return this.#open;
  }

  get url(): string | undefined {
    return this.#open === undefined ? undefined : `tcp://${this.#open.host}:${this.#open.port}`;
  }

  async listenAt(host: string): Promise<void> {
    const wish = {};
    this.#wish = wish;
    const before = this.#open;
    try {
      await this.#openAt(host, wish);
    } catch (error) {
      const inOurWay = before !== undefined && everyAddress.includes(before.host);
      if (!(error instanceof PortInUse) || !inOurWay || this.#wish !== wish) throw advised(error);
      this.#shut();
      try {
        await this.#openAt(host, wish);
      } catch (again) {
        await this.#openAt(before.host, wish);
        throw advised(again);
      }
    }
  }

  close(): void {
    this.#wish = undefined;
    this.#shut();
  }

  async #openAt(host: string, wish: object): Promise<void> {
    if (this.#wish !== wish) return;
    const server = createServer((socket) => this.#facts.connected(socket));
    const port = await listen(server, host, this.#facts.port(), '');
    // Closed while the port was being opened: then it is not to be open.
    if (this.#wish !== wish) {
      server.close();
      return;
    }
    // A connection that the system cannot hand over is lost to its client alone.
    server.on('error', () => undefined);
    this.#shut();
    this.#open = { server, host, port };
    this.#facts.opened();
  }

  #shut(): void {
    this.#open?.server.close();
    this.#open = undefined;
    this.#facts.disconnect();
  }
}

function advised(error: unknown): unknown {
  if (!(error instanceof PortTaken)) return error;
  return new PortTaken(error.problem, 'Write another port to the settings of the stream, or free this one.');
}
