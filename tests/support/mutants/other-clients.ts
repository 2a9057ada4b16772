import { connect, type Socket } from 'node:net';
import { Client } from '../client.js';
import { WebSocketClient } from '../web-socket.js';

/** Where other clients find a scanner. */
export interface Busy {
  readonly port: number;
  /** Text interface of the legacy protocol. */
  readonly legacyPort: number;
  /** Variables that they read. */
  readonly names: readonly string[];
}

/**
 * Clients that use a scanner while it is checked, until they are disposed of: two read all variables, one follows events, one
 * only holds a connection for events, and one receives every scan over the legacy protocol. After a reboot, they come back.
 */
export class OtherClients {
  readonly #busy: Busy;
  readonly #sockets = new Set<{ destroy(): void }>();
  readonly #running: Promise<unknown>[] = [];
  #isOver = false;
  /** Answers to reads, and bytes of scans. */
  answers = 0;
  scanBytes = 0;

  constructor(busy: Busy) {
    this.#busy = busy;
    for (const act of [this.#read, this.#read, this.#follow, this.#hold, this.#receive])
      this.#running.push(this.#again(act));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(this.#running);
  }

  /** Begins again whenever the connection is lost. */
  async #again(act: () => Promise<void>): Promise<void> {
    while (!this.#isOver) {
      await act.call(this).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async #read(): Promise<void> {
    const client = new Client(this.#busy.port, { keepAlive: true });
    try {
      for (const name of this.#busy.names) {
        if (this.#isOver) return;
        await client.get(name);
        this.answers += 1;
      }
    } finally {
      client.close();
    }
  }

  async #follow(): Promise<void> {
    const socket = await this.#opened();
    for (const event of ['DeviceStatus', 'LocationName'])
      socket.send(JSON.stringify({ type: 'register', event, clientId: 1 }));
    await socket.closed;
  }

  async #hold(): Promise<void> {
    await (await this.#opened()).closed;
  }

  async #opened(): Promise<WebSocketClient> {
    const socket = await WebSocketClient.open(this.#busy.port);
    this.#sockets.add(socket);
    return socket;
  }

  #receive(): Promise<void> {
    return new Promise((resolve) => {
      const socket: Socket = connect(this.#busy.legacyPort, '127.0.0.1', () =>
        socket.write('\x02sEN LMDscandata 1\x03'),
      );
      this.#sockets.add(socket);
      socket.on('data', (bytes) => {
        this.scanBytes += bytes.length;
      });
      socket.on('error', () => undefined).on('close', () => resolve());
    });
  }
}
