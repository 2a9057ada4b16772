import { Server, type ServerOptions } from 'node:http';
import { Server as SecureServer } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import { Answer, requestsThat, type TakesUpgrade } from './http-server.js';
import { mostHeaderBytes, type Timeouts, timeoutCheckInterval, usualTimeouts } from './limits.js';
import { closable } from './network/sockets.js';

const takesNone: TakesUpgrade = () => false;

/** A listener of node:http with the limits of the scanner. HttpServer answers the requests that node refuses. */
export function httpListener(chosen: Partial<Timeouts> = {}, takesUpgrade = takesNone): Server {
  const timeouts = { ...usualTimeouts, ...chosen };
  return withoutOptions(closable(new Server(httpOptions(timeouts, takesUpgrade))), timeouts);
}

/** The same over TLS. @param context certificate and private key, as PEM */
export function httpsListener(context: SecureContextOptions, takesUpgrade = takesNone): SecureServer {
  const options = { ...httpOptions(usualTimeouts, takesUpgrade), ...context, minVersion: 'TLSv1.2' as const };
  return withoutOptions(closable(new SecureServer(options)), usualTimeouts);
}

/** The limits for which node has options. */
export function httpOptions(timeouts: Timeouts, takesUpgrade = takesNone): ServerOptions {
  return {
    IncomingMessage: requestsThat(takesUpgrade),
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
export function withoutOptions<S extends Server>(server: S, timeouts: Timeouts): S {
  server.timeout = timeouts.silent;
  // A client may close its sending side and still wait for its answers.
  Object.assign(server, { httpAllowHalfOpen: true });
  return server;
}
