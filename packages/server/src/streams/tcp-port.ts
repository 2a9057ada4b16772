import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock, Log } from '@azimuth/device';
import { type CableWatch, clientOf, tcpListener } from '@azimuth/http';
import { DeduplicatedLog, Listener } from '../network/listener.js';
import type { ListeningAddress } from '../network/listening-address.js';
import { StallWatch } from '../network/stall-watch.js';
import type { BlockReason } from './delivery.js';
import { mostWaitingBytes, telegramOverhead } from './limits.js';

interface TcpPortOptions {
  readonly address: ListeningAddress;
  readonly clock: Clock;
  readonly log: Log;
  /** Time (ms) for which a client may accept nothing while data waits for it; 0 for no limit. */
  readonly stallTimeout: () => number;
  /** Called with unexpected errors of a connection. */
  readonly failed: (error: unknown) => void;
  /** Returns true if this client may connect. Another one may be closed for it. */
  readonly mayConnect: (client: TelegramClient) => boolean;
  /** Network cable; undefined for a scanner whose cable stays in. */
  readonly cable?: CableWatch | undefined;
}

/** Stream that is sent on a port. */
interface Member {
  /** Called when the first client has connected, and when the last one has left. */
  clientsChanged(): void;
  /** Called when clients can connect: whenever the port is opened, and at once if it is open already. */
  opened(): void;
}

/** Port that clients connect to for telegrams, of one stream or of several. */
export class TelegramPort {
  readonly #options: TcpPortOptions;
  readonly #listener: Listener;
  readonly #log: DeduplicatedLog;
  readonly #clients = new Set<TelegramClient>();
  readonly #members = new Set<Member>();
  #number = 0;

  constructor(options: TcpPortOptions) {
    this.#options = options;
    const { address, clock, failed, cable } = options;
    this.#log = new DeduplicatedLog(options.log);
    this.#listener = new Listener({
      name: 'The TCP server of data streams',
      scheme: 'tcp',
      make: () => {
        const server = tcpListener((socket) => this.#accept(socket), failed);
        cable?.watch(server);
        return server;
      },
      port: () => this.#number,
      flag: '',
      advice: 'Write another port to the settings of the stream, or free this one.',
      address,
      clock,
      log: this.#log,
      stateChanged: (problem) => {
        if (problem === undefined && this.#listener.listeningAt !== undefined) this.#opened();
      },
    });
  }

  /** Port; 0 while it is closed. */
  get number(): number {
    return this.#number;
  }

  get clients(): ReadonlySet<TelegramClient> {
    return this.#clients;
  }

  /** Reason why no client can connect; undefined while clients can. */
  get blockedBy(): BlockReason | undefined {
    return this.#listener.listeningAt === undefined ? 'port_closed' : undefined;
  }

  /** Fulfilled when clients can connect, or it is known that they cannot yet; undefined while they can. */
  get opening(): Promise<void> | undefined {
    return this.#listener.listeningAt === undefined ? this.#listener.idle : undefined;
  }

  /** Joins a stream. The port is open while at least one stream has joined. Returns a function to leave. */
  join(number: number, member: Member): () => void {
    this.#members.add(member);
    if (this.#number === 0) {
      this.#number = number;
      this.#log.again();
      this.#listener.reopen();
    } else if (this.#listener.listeningAt !== undefined) {
      member.opened();
    }
    return () => this.#leave(member);
  }

  #leave(member: Member): void {
    this.#members.delete(member);
    if (this.#members.size > 0) return;
    this.#listener.close();
    // The sockets close a little later; the stream that joins next must not find them.
    this.#clients.clear();
    this.#number = 0;
  }

  #opened(): void {
    this.#log.again();
    for (const member of this.#members) member.opened();
  }

  #accept(socket: Socket): void {
    const client = new TelegramClient(socket, {
      ...this.#options,
      name: `${socket.remoteAddress}:${socket.remotePort}`,
      address: clientOf(socket.remoteAddress),
    });
    if (!this.#options.mayConnect(client)) {
      client.close();
      return;
    }
    this.#clients.add(client);
    socket.once('close', () => this.#forget(client));
    if (this.#clients.size === 1) this.#notifyMembers();
  }

  #forget(client: TelegramClient): void {
    if (this.#clients.delete(client) && this.#clients.size === 0) this.#notifyMembers();
  }

  #notifyMembers(): void {
    for (const member of this.#members) member.clientsChanged();
  }
}

/** Part of a socket that is used here. */
interface Connection extends Duplex {
  setNoDelay(on: boolean): unknown;
}

interface ClientOptions {
  /** Name of the client in the log. */
  readonly name: string;
  /** Address of the client: see clientOf. */
  readonly address: string;
  readonly clock: Clock;
  /** Time (ms) for which it may accept nothing while data waits for it; 0 for no limit. */
  readonly stallTimeout: () => number;
}

/** Client that reads telegrams. Its own data is read and dropped. */
export class TelegramClient {
  readonly #socket: Connection;
  readonly #options: ClientOptions;
  readonly #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  readonly #stallWatch: StallWatch;

  constructor(socket: Connection, options: ClientOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#stallWatch = new StallWatch(socket, options);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#stallWatch.stop());
    socket.resume();
  }

  get name(): string {
    return this.#options.name;
  }

  get address(): string {
    return this.#options.address;
  }

  /** True if the system has not yet accepted all data. The next telegram has to wait then. */
  get isBusy(): boolean {
    return this.#socket.writableLength > 0;
  }

  /** Sends a telegram at once. If the client is busy afterwards, it owns the bytes. */
  write(telegram: Uint8Array): void {
    this.#socket.write(telegram, this.#written);
    if (!this.isBusy) return;
    this.#stallWatch.progress();
    this.#stallWatch.start();
  }

  /** Queues a telegram, and owns its bytes from now on. Returns false if too many wait. */
  keep(telegram: Uint8Array): boolean {
    const bytes = telegram.length + telegramOverhead;
    if (this.#waitingBytes + bytes > mostWaitingBytes) return false;
    this.#waiting.push(telegram);
    this.#waitingBytes += bytes;
    return true;
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Writes one telegram at a time, to notice each time that the client accepts one. */
  readonly #written = (): void => {
    this.#stallWatch.progress();
    while (!this.isBusy && !this.#socket.destroyed) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#waitingBytes -= next.length + telegramOverhead;
      this.#socket.write(next, this.#written);
    }
  };
}
