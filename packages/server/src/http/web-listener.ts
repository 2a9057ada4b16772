import { Server, type ServerOptions } from 'node:http';
import type { Duplex } from 'node:stream';
import type { MovableListener } from '../network/address-follower.js';
import { type HostAndPort, urlOf } from '../network/listen.js';
import { MovingListener } from '../network/moving-listener.js';
import { requestsThat, type TakesUpgrade } from './admission.js';
import { mostHeaderBytes, type Timeouts, timeoutCheckInterval, usualTimeouts } from './limits.js';

const takesNone: TakesUpgrade = () => false;

/** A listener that also closes connections that were handed over: node forgets those. */
class ClosableListener extends Server {
  readonly #handedOver = new Set<Duplex>();

  watch(): this {
    this.on('upgrade', (_, connection) => {
      if (connection.destroyed) return;
      this.#handedOver.add(connection);
      connection.once('close', () => this.#handedOver.delete(connection));
    });
    return this;
  }

  override closeAllConnections(): void {
    super.closeAllConnections();
    for (const connection of this.#handedOver) connection.destroy();
  }
}

/** A listener of node's with our limits. HttpServer puts into words what node refuses by itself. */
export function httpListener(chosen: Partial<Timeouts> = {}, takesUpgrade = takesNone): Server {
  const timeouts = { ...usualTimeouts, ...chosen };
  return withoutOptions(new ClosableListener(httpOptions(timeouts, takesUpgrade)).watch(), timeouts);
}

/** Our limits, as far as node has options for them. */
export function httpOptions(timeouts: Timeouts, takesUpgrade = takesNone): ServerOptions {
  return {
    IncomingMessage: requestsThat(takesUpgrade),
    // A missing Host is refused in JSON (Admission).
    requireHostHeader: false,
    insecureHTTPParser: false,
    maxHeaderSize: mostHeaderBytes,
    headersTimeout: timeouts.headers,
    requestTimeout: timeouts.request,
    keepAliveTimeout: timeouts.idle,
    connectionsCheckingInterval: Math.min(timeoutCheckInterval, timeouts.headers / 2),
  };
}

/** The others, for which it has none. */
export function withoutOptions<S extends Server>(server: S, timeouts: Timeouts): S {
  server.timeout = timeouts.silent;
  // A client may say that it sends no more and still wait for its answers.
  Object.assign(server, { httpAllowHalfOpen: true });
  return server;
}

interface Options {
  /** What it is, in words for the log. */
  readonly name: string;
  readonly scheme: 'http' | 'https';
  /** 0 for any free one; once chosen it stays the same over reboots and moves. */
  readonly port: number;
  /** The option that chooses the port. */
  readonly flag: string;
  /** Makes a listener that is not open yet. */
  readonly make: () => Server;
  /** Told whenever it may be open or closed now, with what kept it from opening where something did. */
  readonly settled?: (problem?: unknown) => void;
}

/** The listener of HTTP or HTTPS: it can move to another address, and keeps its port. */
export class WebListener implements MovableListener {
  readonly name: string;
  readonly #options: Options;
  readonly #listener: MovingListener;

  constructor(options: Options) {
    this.name = options.name;
    this.#options = options;
    this.#listener = new MovingListener(options);
  }

  get listeningAt(): HostAndPort | undefined {
    return this.#listener.listeningAt;
  }

  /** The port that it has, or is to have; 0 while none is chosen. */
  get port(): number {
    return this.#listener.port;
  }

  get url(): string | undefined {
    return this.listeningAt === undefined ? undefined : urlOf(this.listeningAt, this.#options.scheme);
  }

  /**
   * Chooses the port where any free one is wanted, and opens nothing.
   * @throws PortTaken
   */
  choosePort(host: string): Promise<void> {
    return this.#listener.choosePort(host);
  }

  /** @throws PortTaken */
  async listenAt(host: string): Promise<void> {
    try {
      await this.#listener.listenAt(host);
    } catch (error) {
      this.#options.settled?.(error);
      throw error;
    }
    this.#options.settled?.();
  }

  /** Closes the listener and every connection, at once. */
  close(): void {
    this.#listener.close();
    this.#options.settled?.();
  }
}
