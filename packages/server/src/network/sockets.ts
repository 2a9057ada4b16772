import type { EventEmitter } from 'node:events';
import { Server, type Socket } from 'node:net';

/**
 * Has `failed` called where a listener of this emitter throws, or where it tells of an error that nobody listens to:
 * either would end the process. Listeners behind the one that throws are not called. Gives the emitter back.
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

/** A server that knows its connections, and can close them. What fails on one of them costs that one alone. */
export class ClosableServer extends Server {
  readonly #connections = new Set<Socket>();

  /** @param failed is told of what a listener of a connection, or `connected`, throws */
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

/**
 * The look-up of a datagram socket whose addresses are IPv4 numbers: nobody has to be asked for them, and it is ready at
 * once.
 */
export function ipv4Unresolved(
  host: string,
  _: unknown,
  found: (error: null, address: string, family: number) => void,
): void {
  found(null, host, 4);
}
