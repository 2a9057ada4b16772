import { constants } from 'node:crypto';
import { IncomingMessage, Server, type ServerOptions, ServerResponse } from 'node:http';
import { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import {
  longestDrain,
  mostHeaderBytes,
  type Timeouts,
  timeoutCheckInterval,
  usualTimeouts,
} from './limits.js';
import { type Closable, closable } from './network/sockets.js';

/** A listener of node:http with the limits of all ports. HttpPort answers the requests that node refuses. */
export function httpListener(upgrading: Upgrading, chosen: Partial<Timeouts> = {}): Server & Closable {
  const timeouts = { ...usualTimeouts, ...chosen };
  return withoutOptions(closable(new Server(options(upgrading, timeouts))), timeouts);
}

/** The same behind TLS. A handshake may take as long as headers may. */
export function httpsListener(
  upgrading: Upgrading,
  certificate: Certificate,
  chosen: Partial<Timeouts> = {},
): SecureServer & Closable {
  const timeouts = { ...usualTimeouts, ...chosen };
  const listener = new SecureServer({
    ...options(upgrading, timeouts),
    ...secureContextOf(certificate),
    handshakeTimeout: timeouts.headers,
    ALPNProtocols: ['http/1.1'],
    // As in node:http: a client may close its sending side and still wait for answers.
    allowHalfOpen: true,
  });
  return withoutOptions(closable(listener), timeouts);
}

/** Certificate, with those above it, and private key, as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** TLS 1.3, and of TLS 1.2 what has forward secrecy and authenticated encryption. */
const ciphers = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

/** The TLS options for new connections. Node keeps no earlier options, so all are set each time. */
export function secureContextOf({ cert, key }: Certificate): SecureContextOptions {
  return {
    cert,
    key,
    minVersion: 'TLSv1.2',
    ciphers,
    // Renegotiation is not needed, and costs the server more than the client.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  };
}

/** The limits for which node has options. */
function options(upgrading: Upgrading, timeouts: Timeouts): ServerOptions {
  return {
    IncomingMessage: requestsThat(upgrading),
    ServerResponse: Answer,
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

/** Sets the limits for which node has no options. */
function withoutOptions<S extends Server>(server: S, timeouts: Timeouts): S {
  server.timeout = timeouts.silent;
  // A client may close its sending side and still wait for its answers.
  Object.assign(server, { httpAllowHalfOpen: true });
  return server;
}

/** Decides what becomes of requests of which only the headers have been read. */
export interface Upgrading {
  /** Does node emit `upgrade` for this request? Called once for each request with such a header, because the call counts it. */
  takes(request: IncomingMessage): boolean;
  /** Are further requests of this connection dropped? */
  drops(connection: Duplex): boolean;
}

/**
 * Class of requests for which node emits `upgrade` only if the upgrade is accepted. If the server has a listener for
 * `upgrade`, node emits it for every request with such a header, even for `h2c` with a body, and loses that body.
 * Requests that are dropped count as upgrades, too. Otherwise node would go on parsing all it has read into a thousand
 * requests or more, and would keep and abort each of them.
 */
function requestsThat(upgrading: Upgrading): typeof IncomingMessage {
  return class extends IncomingMessage {
    /** Set by node from the headers, before a field of this class could be initialised. */
    declare wanted: boolean | null;
    declare taken: boolean | undefined;

    /** Node reads it when the headers are complete. The first read has a side effect: it decides and counts. */
    get upgrade(): boolean | null {
      // Node may parse on behind the end of a connection: then there is none.
      const socket: Duplex | null = this.socket;
      if (socket === null || upgrading.drops(socket)) return true;
      if (this.wanted !== true || this.method === 'CONNECT') return this.wanted;
      this.taken ??= upgrading.takes(this);
      return this.taken;
    }

    set upgrade(wanted: boolean | null) {
      this.wanted = wanted;
    }
  };
}

/**
 * Answers of which the last one of a connection ends it only when its request is complete, or after 10 s. What the client still
 * sends is read and dropped: if the connection ended before, the system would reset it, and the client would lose the answer.
 */
class Answer<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  constructor(request: Request) {
    super(request);
    // Runs before node ends the connection.
    this.once('finish', () => this.#awaitRequest());
  }

  #awaitRequest(): void {
    const { req, socket, shouldKeepAlive } = this;
    if (shouldKeepAlive || req.complete || socket === null || socket.destroyed) return;
    // Node calls it next.
    socket.destroySoon = () => {
      Reflect.deleteProperty(socket, 'destroySoon');
      endBehind(req, socket);
    };
  }
}

function endBehind(request: IncomingMessage, socket: Socket): void {
  const end = () => socket.destroySoon();
  const limit = setTimeout(end, longestDrain).unref();
  request.once('end', end).resume();
  socket.once('close', () => clearTimeout(limit));
}
