import type { Clock, Log } from '@azimuth/device';
import { AddressShares, type CableWatch } from '@azimuth/http';
import type { ListeningAddress } from '../network/listening-address.js';
import type { Route } from './data-stream.js';
import type { BlockReason, Sending } from './delivery.js';
import { mostClients } from './limits.js';
import { type TelegramClient, TelegramPort } from './tcp-port.js';

/** Sends each telegram to every client of a port. */
export class TcpRoute implements Route {
  readonly sending: Sending;
  readonly #port: TelegramPort;
  readonly #leave: () => void;
  #buffer = new Uint8Array(0);

  constructor(port: TelegramPort, number: number, sending: Sending, changed: () => void) {
    this.#port = port;
    this.sending = sending;
    let hasBegun = false;
    const opened = () => {
      if (!hasBegun) sending.begins(' to clients that connect');
      hasBegun = true;
    };
    this.#leave = port.join(number, { clientsChanged: changed, opened });
  }

  get opening(): Promise<void> | undefined {
    return this.#port.opening;
  }

  get hasReceiver(): boolean {
    return this.#port.clients.size > 0;
  }

  get blockedBy(): BlockReason | undefined {
    return this.#port.blockedBy;
  }

  buffer(bytes: number): Uint8Array {
    if (this.#buffer.length < bytes) this.#buffer = new Uint8Array(bytes);
    return this.#buffer;
  }

  /** Most clients accept a telegram at once, so the buffer can be reused. Slow clients get a copy. */
  send(telegram: Uint8Array): void {
    let copy: Uint8Array | undefined;
    let isBufferOwned = false;
    for (const client of this.#port.clients) {
      if (client.isBusy) {
        copy ??= new Uint8Array(telegram);
        if (!client.keep(copy)) {
          this.sending.missedBy(client, 'slow');
          continue;
        }
      } else {
        client.write(telegram);
        isBufferOwned ||= client.isBusy;
      }
      this.sending.sentTo(client, telegram.length);
    }
    if (isBufferOwned) this.#buffer = new Uint8Array(0);
  }

  meetNobody(): void {
    this.sending.failed('refused');
    for (const client of this.#port.clients) client.close();
  }

  close(): void {
    this.#leave();
  }
}

interface TcpPortsOptions {
  readonly address: ListeningAddress;
  readonly clock: Clock;
  readonly log: Log;
  /** Time (ms) for which a client may accept nothing while data waits for it; 0 for no limit. */
  readonly stallTimeout: () => number;
  /** Called with unexpected errors of a connection. */
  readonly failed: (error: unknown) => void;
  readonly cable?: CableWatch | undefined;
}

/** Ports of the streams over TCP. Streams with the same port share it, and its clients. */
export class TelegramPorts {
  readonly #options: TcpPortsOptions;
  /** Free ports are reused: there are at most as many as streams that were on different ports at the same time. */
  readonly #ports: TelegramPort[] = [];
  #isFull = false;

  constructor(options: TcpPortsOptions) {
    this.#options = options;
  }

  get clients(): number {
    return this.#ports.reduce((sum, { clients }) => sum + clients.size, 0);
  }

  /** Returns the port with this number. The caller must join it at once. */
  port(number: number): TelegramPort {
    const existing = this.#ports.find((port) => port.number === number);
    return existing ?? this.#ports.find((port) => port.number === 0) ?? this.#make();
  }

  #make(): TelegramPort {
    const port = new TelegramPort({ ...this.#options, mayConnect: (client) => this.#mayConnect(client) });
    this.#ports.push(port);
    return port;
  }

  #mayConnect(client: TelegramClient): boolean {
    const wasFull = this.#isFull;
    this.#isFull = !this.#hasRoom(client);
    if (this.#isFull && !wasFull) {
      this.#options.log.warn('Too many clients read data streams; new connections are closed at once', {
        most: mostClients,
      });
    }
    return !this.#isFull;
  }

  /** Closes the oldest client of an address that has more clients, to make room. */
  #hasRoom({ address }: TelegramClient): boolean {
    if (this.clients < mostClients) return true;
    const shares = new AddressShares<TelegramClient>();
    for (const port of this.#ports) for (const client of port.clients) shares.add(client, client.address);
    const [oldest] = shares.largest(address);
    oldest?.close();
    return oldest !== undefined;
  }
}
