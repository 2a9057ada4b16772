import type { EventEmitter } from 'node:events';
import { createServer, type Server, type ServerOpts, type Socket } from 'node:net';

/**
 * Calls `failed` if a listener of this emitter throws, or if it emits `error` without a listener: either would end the
 * process. If a listener throws, the listeners after it are not called. Returns the emitter.
 */
export function containErrors<E extends EventEmitter>(emitter: E, failed: (error: unknown) => void): E {
  const emit = emitter.emit.bind(emitter);
  return Object.assign(emitter, {
    emit: (event: string | symbol, ...facts: unknown[]): boolean => {
      try {
        return emit(event, ...facts);
      } catch (error) {
        failed(error);
        return true;
      }
    },
  });
}

/** A listener that can close its connections. */
export interface Closable {
  closeAllConnections(): void;
}

/**
 * Makes `closeAllConnections` of a listener close every connection. The one of node:http leaves connections open that
 * were handed over for an upgrade, and those in a TLS handshake. node:net has none.
 */
export function closable<S extends Server & Partial<Closable>>(listener: S): S & Closable {
  const connections = new Set<Socket>();
  const closeKnown = listener.closeAllConnections?.bind(listener);
  listener.on('connection', (connection: Socket) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
  });
  return Object.assign(listener, {
    closeAllConnections: () => {
      closeKnown?.();
      for (const connection of connections) connection.destroy();
    },
  });
}

/**
 * Makes a TCP listener. An error of a connection affects only that connection.
 * @param failed called with an error thrown by `connected` or by a listener of a connection
 */
export function tcpListener(
  connected: (socket: Socket) => void,
  failed: (error: unknown) => void,
  options: ServerOpts = {},
): Server & Closable {
  const listener = closable(containErrors(createServer(options), failed));
  listener.on('connection', (socket: Socket) => {
    const failedHere = (error: unknown) => {
      failed(error);
      socket.destroy();
    };
    containErrors(socket, failedHere);
    try {
      connected(socket);
    } catch (error) {
      failedHere(error);
    }
  });
  return listener;
}

/** Look-up function for datagram sockets with numeric IPv4 addresses: it returns at once, without DNS. */
export function ipv4Unresolved(
  host: string,
  _: unknown,
  done: (error: null, address: string, family: number) => void,
): void {
  done(null, host, 4);
}
