import { createServer, type Server, type Socket } from 'node:net';
import { ClientQueues } from './client-queues.js';
import type { Destination } from './destination.js';
import { keepAlive, mostClients } from './limits.js';
import { listening, type Outgoing } from './outgoing.js';
import type { Tallied } from './tally.js';

/** A port at which clients fetch telegrams over TCP, back to back, as at a scanner. */
export class TcpOutgoing implements Outgoing {
  readonly sender = undefined;
  readonly #server: Server;
  readonly #clients = new ClientQueues();
  #url = '';

  private constructor() {
    this.#server = createServer({ ...keepAlive, noDelay: true }, (socket) => this.#accept(socket));
    this.#server.maxConnections = mostClients;
  }

  /** @throws OpenError if the port cannot be opened */
  static async open(destination: Destination): Promise<TcpOutgoing> {
    const outgoing = new TcpOutgoing();
    outgoing.#url = await listening(outgoing.#server, destination);
    return outgoing;
  }

  get url(): string {
    return this.#url;
  }

  get clients(): number {
    return this.#clients.size;
  }

  get tally(): Tallied {
    return this.#clients.tally;
  }

  send(telegram: Uint8Array): void {
    this.#clients.send(telegram);
  }

  close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#clients.closeAll();
    return closed;
  }

  #accept(socket: Socket): void {
    const ended = this.#clients.add({
      get isBusy() {
        return socket.destroyed || socket.writableLength > 0;
      },
      write: (telegram, done) => void socket.write(telegram, done),
      close: () => socket.destroy(),
    });
    socket.on('error', () => socket.destroy());
    socket.once('close', ended);
    // The data of a client is read and dropped.
    socket.resume();
  }
}
