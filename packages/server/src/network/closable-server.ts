import { Server, type Socket } from 'node:net';
import { contained } from './contained-emitter.js';

/** A server that knows its connections, and can close them. What fails on one of them costs that one alone. */
export class ClosableServer extends Server {
  readonly #connections = new Set<Socket>();

  /** @param failed is told of what a listener of a connection, or `connected`, throws */
  constructor(connected: (socket: Socket) => void, failed: (error: unknown) => void) {
    super();
    contained(this, failed);
    this.on('connection', (socket: Socket) => {
      const failedHere = (error: unknown) => {
        failed(error);
        socket.destroy();
      };
      contained(socket, failedHere);
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
