import { createServer, type Server } from 'node:net';
import {
  type Closable,
  type HostAndPort,
  isEverywhere,
  listen,
  type OpenPorts,
  PortInUse,
  urlOf,
} from '@azimuth/http';
import type { MovableListener } from './address-follower.js';

type Listener = Server & Closable;

export interface ListenerOptions {
  /** What it is, in words for the log. */
  readonly name: string;
  /** Of its URL. */
  readonly scheme: 'http' | 'https' | 'tcp';
  /** Creates a listener that is not open yet. */
  readonly make: () => Listener;
  /** 0 for any free port; once chosen, the port stays the same. */
  readonly port: number;
  /** The option that chooses the port. */
  readonly flag: string;
  /** Ports that are open before it listens. */
  readonly openPorts?: OpenPorts | undefined;
  /** Called when it may have been opened or closed, with the error if it could not be opened. */
  readonly settled?: (problem?: unknown) => void;
}

interface Open extends HostAndPort {
  readonly server: Listener;
}

/** A listener that can change its address and keeps its port. */
export class MovingListener implements MovableListener {
  readonly name: string;
  readonly #options: ListenerOptions;
  #port: number;
  #open: Open | undefined;
  /** The target, from `listenAt` until `close`. */
  #current: object | undefined;

  constructor(options: ListenerOptions) {
    this.name = options.name;
    this.#options = options;
    this.#port = options.port;
  }

  /** Where it listens; undefined while it does not. */
  get listeningAt(): HostAndPort | undefined {
    return this.#open;
  }

  get url(): string | undefined {
    return this.#open === undefined ? undefined : urlOf(this.#open, this.#options.scheme);
  }

  /** The present or future port; 0 until one is chosen. */
  get port(): number {
    return this.#port;
  }

  /** Takes effect the next time that it begins to listen. */
  set port(port: number) {
    this.#port = port;
  }

  /**
   * Chooses a free port if none is set. The port is opened only for a moment.
   * @throws PortTaken if no port is free at this address
   */
  async choosePort(host: string): Promise<void> {
    if (this.#port !== 0) return;
    const server = createServer();
    this.#port = await listen(server, host, 0, this.#options.flag);
    server.close();
  }

  /**
   * Moves to this address. The new listener is opened before the previous one and its connections are closed, so there
   * is no gap. Only a listener on all addresses has to close first.
   * @throws PortTaken; the previous listener stays open then
   */
  async listenAt(host: string): Promise<void> {
    try {
      await this.#moveTo(host);
    } catch (error) {
      this.#options.settled?.(error);
      throw error;
    }
    this.#options.settled?.();
  }

  async #moveTo(host: string): Promise<void> {
    const attempt = {};
    this.#current = attempt;
    const before = this.#open;
    try {
      await this.#openAt(host, attempt);
    } catch (error) {
      // A listener on all addresses occupies its port on each of them.
      const inOurWay = before !== undefined && before.port === this.#port && isEverywhere(before.host);
      if (!(error instanceof PortInUse) || !inOurWay || this.#current !== attempt) throw error;
      this.#shut();
      try {
        await this.#openAt(host, attempt);
      } catch (again) {
        await this.#openAt(before.host, attempt);
        throw again;
      }
    }
  }

  /** Closes the listener and every connection at once, and cancels an opening in progress. */
  close(): void {
    this.#current = undefined;
    this.#shut();
    this.#options.settled?.();
  }

  async #openAt(host: string, attempt: object): Promise<void> {
    if (this.#current !== attempt) return;
    const server = this.#options.make();
    const before = this.#options.openPorts?.take({ host, port: this.#port });
    const port = await this.#listen(server, host, before?.server);
    // It was closed while the port was being opened.
    if (this.#current !== attempt) return shut(server);
    // An error in accepting a connection affects only its client.
    server.on('error', () => undefined);
    for (const socket of before?.waiting ?? []) {
      server.emit('connection', socket);
      socket.resume();
    }
    this.#shut();
    this.#port = port;
    const address = server.address();
    const opened = typeof address === 'object' && address !== null ? address.address : host;
    this.#open = { server, port, host: opened };
  }

  async #listen(server: Listener, host: string, open: Server | undefined): Promise<number> {
    try {
      return await listen(server, host, this.#port, this.#options.flag, open);
    } catch (error) {
      shut(server);
      throw error;
    }
  }

  #shut(): void {
    if (this.#open !== undefined) shut(this.#open.server);
    this.#open = undefined;
  }
}

function shut(server: Listener): void {
  server.close();
  server.closeAllConnections();
}
