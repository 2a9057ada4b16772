import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { Arrivals } from './arrivals.js';
import { Cutter } from './cutter.js';
import { decodeTelegram, type Telegram } from './telegram.js';

const loopback = '127.0.0.1';

/** Receives datagrams on its own port. Each has to be a whole telegram. */
export class UdpReceiver extends Arrivals<Telegram> {
  readonly #socket: DatagramSocket;
  #closed = false;

  private constructor(socket: DatagramSocket) {
    super();
    this.#socket = socket;
    socket.on('message', (bytes) => {
      try {
        this.push(decodeTelegram(bytes));
      } catch (error) {
        this.fail(error instanceof Error ? error : new Error(String(error)));
      }
    });
    socket.on('error', (error) => this.fail(error));
  }

  static async open(port = 0): Promise<UdpReceiver> {
    const socket = createSocket('udp4');
    const receiver = new UdpReceiver(socket);
    onTestFinished(() => receiver.close());
    socket.bind(port, loopback);
    await once(socket, 'listening');
    socket.setRecvBufferSize(4 * 2 ** 20);
    return receiver;
  }

  get port(): number {
    return this.#socket.address().port;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#socket.close();
    await once(this.#socket, 'close');
  }
}

/** A client of a scanner that sends over TCP. */
export class TcpReceiver extends Arrivals<Telegram> {
  readonly #socket: Socket;
  readonly #cutter = new Cutter();
  readonly closed: Promise<void>;

  private constructor(socket: Socket) {
    super();
    this.#socket = socket;
    this.closed = new Promise((resolve) => {
      socket.on('close', () => resolve());
    });
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => this.push(...this.#cutter.push(chunk)));
  }

  static async open(port: number): Promise<TcpReceiver> {
    const socket = createConnection({ host: loopback, port });
    const receiver = new TcpReceiver(socket);
    onTestFinished(() => receiver.close());
    await once(socket, 'connect');
    return receiver;
  }

  /** Bytes that belonged to no telegram. */
  get dropped(): number {
    return this.#cutter.dropped;
  }

  /** Stops reading, so that the buffers fill up. */
  stall(): void {
    this.#socket.pause();
  }

  readOn(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#socket.destroy();
  }
}
