import { Server, type Socket } from 'node:net';

/** A server that knows its connections, and can close them. */
export class ClosableServer extends Server {
  readonly #connections = new Set<Socket>();

  constructor(connected: (socket: Socket) => void) {
    super();
    this.on('connection', (socket: Socket) => {
      this.#connections.add(socket);
      socket.once('close', () => this.#connections.delete(socket));
      connected(socket);
    });
  }

  closeAllConnections(): void {
    for (const socket of this.#connections) socket.destroy();
  }
}
