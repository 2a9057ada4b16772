import { createServer, type Server, type ServerOptions } from 'node:http';
import { type Timeouts, usualTimeouts } from './timeouts.js';

/** Bytes of request line, header names and header values together. */
const mostHeaderBytes = 16 * 1024;

/** How often (ms), at most, overdue requests are looked for. */
const checkingInterval = 1000;

/** A server of node's with our limits. What it refuses by itself, Reception puts into words. */
export function httpServer(wishes: Partial<Timeouts> = {}): Server {
  const timeouts = { ...usualTimeouts, ...wishes };
  return withoutOptions(createServer(httpOptions(timeouts)), timeouts);
}

/** Our limits, as far as node has options for them. */
export function httpOptions(timeouts: Timeouts): ServerOptions {
  return {
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
