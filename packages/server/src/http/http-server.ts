import { IncomingMessage, Server, type ServerOptions } from 'node:http';
import type { Duplex } from 'node:stream';
import { isUnwanted } from './connections.js';

/** How long (ms) a client may keep a connection busy with little or nothing. */
export interface Timeouts {
  /** From the first byte of a request, or from the connection on, to the end of its headers. */
  readonly headers: number;
  /**
   * From the first byte of a request to the end of its body; at least as long as `headers`. A large file may take
   * longer as long as it keeps its pace (broken-requests.ts).
   */
  readonly request: number;
  /** From an answer to the next request. Node allows a second more than it tells in the header Keep-Alive. */
  readonly idle: number;
  /** Without a byte in either direction, whatever is under way: a client that does not read its answer. */
  readonly silent: number;
}

/** `idle` is longer than the 60 s that pools of clients keep a connection, so that these close first. */
export const usualTimeouts: Timeouts = { headers: 10_000, request: 60_000, idle: 65_000, silent: 120_000 };

/** Bytes of request line, header names and header values together. */
const mostHeaderBytes = 16 * 1024;

/** How often (ms), at most, overdue requests are looked for. */
const checkingInterval = 1000;

/**
 * Is this request to be handed over with its connection (`upgrade`)? It has come as far as its headers. Asked once for
 * each request that has such a header: the answer counts it, as the rate limit does.
 */
export type TakesUpgrade = (request: IncomingMessage) => boolean;

const takesNone: TakesUpgrade = () => false;

/** A server that also closes connections that were handed over: node forgets those. */
class WholeServer extends Server {
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

/** A server of node's with our limits. What it refuses by itself, Reception puts into words. */
export function httpServer(wishes: Partial<Timeouts> = {}, takesUpgrade = takesNone): Server {
  const timeouts = { ...usualTimeouts, ...wishes };
  return withoutOptions(new WholeServer(httpOptions(timeouts, takesUpgrade)).watch(), timeouts);
}

/**
 * Requests of which only those are upgrades that are taken. With somebody who takes upgrades, node else hands every
 * request with such a header over, `h2c` with a body included, and loses that.
 *
 * A request that is not wanted any more is taken for one too, as node goes on otherwise: it makes requests of all that it
 * has read, a thousand of them or more, and keeps and aborts each.
 */
function requestsThat(takesUpgrade: TakesUpgrade): typeof IncomingMessage {
  return class extends IncomingMessage {
    /** What node makes of the headers; set before a field of this class could be. */
    declare wanted: boolean | null;
    declare taken: boolean | undefined;

    /** Node reads it when the headers are there. Reading it for the first time asks, and so has an effect. */
    get upgrade(): boolean | null {
      if (isUnwanted(this.socket)) return true;
      if (this.wanted !== true || this.method === 'CONNECT') return this.wanted;
      this.taken ??= takesUpgrade(this);
      return this.taken;
    }

    set upgrade(wanted: boolean | null) {
      this.wanted = wanted;
    }
  };
}

/** Our limits, as far as node has options for them. */
export function httpOptions(timeouts: Timeouts, takesUpgrade = takesNone): ServerOptions {
  return {
    IncomingMessage: requestsThat(takesUpgrade),
    // Reception refuses a missing Host itself, in JSON.
    requireHostHeader: false,
    insecureHTTPParser: false,
    maxHeaderSize: mostHeaderBytes,
    headersTimeout: timeouts.headers,
    requestTimeout: timeouts.request,
    keepAliveTimeout: timeouts.idle,
    connectionsCheckingInterval: Math.min(checkingInterval, timeouts.headers / 2),
  };
}

/** The others, for which it has none. */
export function withoutOptions<S extends Server>(server: S, timeouts: Timeouts): S {
  server.timeout = timeouts.silent;
  // A client may say that it sends no more and still wait for its answers.
  Object.assign(server, { httpAllowHalfOpen: true });
  return server;
}
