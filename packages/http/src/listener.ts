import { constants } from 'node:crypto';
import { Server, type ServerOptions } from 'node:http';
import { Server as SecureServer } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import {
  type ChosenTimeouts,
  mostHeaderBytes,
  type Timeouts,
  timeoutCheckInterval,
  timeoutsOf,
} from './limits.js';
import { type Closable, closable } from './network/sockets.js';

/** The classes of requests and responses. */
type ListenerClasses = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;

/** Makes a listener of node:http with the limits of all ports. HttpPort responds to requests that node refuses. */
export function httpListener(classes: ListenerClasses, chosen?: ChosenTimeouts): Server & Closable {
  const timeouts = timeoutsOf(chosen);
  return withoutOptions(closable(new Server(options(classes, timeouts))), timeouts);
}

/** Makes a listener with TLS. A handshake may take as long as headers may. */
export function httpsListener(
  classes: ListenerClasses,
  certificate: Certificate,
  chosen?: ChosenTimeouts,
): SecureServer & Closable {
  const timeouts = timeoutsOf(chosen);
  const listener = new SecureServer({
    ...options(classes, timeouts),
    ...secureContextOf(certificate),
    handshakeTimeout: timeouts.headers,
    ALPNProtocols: ['http/1.1'],
    // As in node:http, a client may close its sending side and still wait for responses.
    allowHalfOpen: true,
  });
  return withoutOptions(closable(listener), timeouts);
}

/** Certificate, with the certificates above it, and private key, as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** TLS 1.3, and the ciphers of TLS 1.2 with forward secrecy and authenticated encryption. */
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

/** Returns the TLS options for new connections. Node stores no earlier options, so all are set each time. */
export function secureContextOf({ cert, key }: Certificate): SecureContextOptions {
  return {
    cert,
    key,
    minVersion: 'TLSv1.2',
    ciphers,
    // Disabled, because renegotiation is not needed, and costs the server more than the client.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  };
}

/** The limits for which node has options. */
function options(classes: ListenerClasses, timeouts: Timeouts): ServerOptions {
  return {
    ...classes,
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
  // A client may close its sending side and still wait for its responses.
  Object.assign(server, { httpAllowHalfOpen: true });
  return server;
}
