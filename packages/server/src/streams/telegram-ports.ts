import type { Clock, Log } from '@azimuth/device';
import type { ListeningAddress } from '../network/listening-address.js';
import { TelegramPort } from './telegram-port.js';

/** Clients of all data streams together. */
const mostClients = 16;

interface TcpPortsOptions {
  readonly address: ListeningAddress;
  readonly clock: Clock;
  readonly log: Log;
  /** How long (ms) a client may take nothing while something waits for it; 0 for as long as it likes. */
  readonly patience: () => number;
  /** Told of an error that nobody expected, of a connection. */
  readonly failed: (error: unknown) => void;
}

/** The ports that streams go out on over TCP. Streams with the same port share it, and its clients. */
export class TelegramPorts {
  readonly #options: TcpPortsOptions;
  /** Used again when they are free: there are as many as there were streams on different ports at the same time. */
  readonly #ports: TelegramPort[] = [];
  #isFull = false;

  constructor(options: TcpPortsOptions) {
    this.#options = options;
  }

  get clients(): number {
    return this.#ports.reduce((sum, { clients }) => sum + clients.size, 0);
  }

  /** The port of this number, to be joined at once. */
  port(number: number): TelegramPort {
    const there = this.#ports.find((port) => port.number === number);
    return there ?? this.#ports.find((port) => port.number === 0) ?? this.#make();
  }

  #make(): TelegramPort {
    const port = new TelegramPort({ ...this.#options, hasPlace: () => this.#hasPlace() });
    this.#ports.push(port);
    return port;
  }

  #hasPlace(): boolean {
    const wasFull = this.#isFull;
    this.#isFull = this.clients >= mostClients;
    if (this.#isFull && !wasFull) {
      this.#options.log.warn('Too many clients read data streams; more are closed at once', {
        most: mostClients,
      });
    }
    return !this.#isFull;
  }
}
