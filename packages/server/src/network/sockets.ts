import type { EventEmitter } from 'node:events';
import { Server, type Socket } from 'node:net';

/**
 * Calls `failed` if a listener of this emitter throws, or if it emits `error` without a listener: either would end the
 * process. Listeners after the one that throws are not called. Returns the emitter.
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

/** A server that tracks its connections and can close them. An error of a connection affects only that connection. */
export class ClosableServer extends Server {
  readonly #connections = new Set<Socket>();

  /** @param failed gets what `connected` or a listener of a connection throws */
  constructor(connected: (socket: Socket) => void, failed: (error: unknown) => void) {
    super();
    containErrors(this, failed);
    this.on('connection', (socket: Socket) => {
      const failedHere = (error: unknown) => {
        failed(error);
        socket.destroy();
      };
      containErrors(socket, failedHere);
      this.#connections.add(socket);
      socket.once('close', () => this.#connections.delete(socket));
      try {
        connected(socket);
      } catch (error) {
        failedHere(error);
      }
    });
  }

  closeAllConnections(): void {
    for (const socket of this.#connections) socket.destroy();
  }
}

/** Look-up function for datagram sockets with numeric IPv4 addresses: it returns at once, without DNS. */
export function ipv4Unresolved(
  host: string,
  _: unknown,
  found: (error: null, address: string, family: number) => void,
): void {
  found(null, host, 4);
}
