import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

export interface Heard {
  /** The telegram: its first byte as hex. */
  readonly telegram: string;
  readonly mac: string;
  readonly id: string;
  readonly from: string;
  readonly body: Buffer;
}

/** A search tool: a UDP socket on loopback that does not use our code. */
export class Asker {
  readonly heard: Heard[] = [];
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('message', (answer, { address, port }) => {
      this.heard.push({
        telegram: answer.toString('hex', 0, 1),
        mac: answer.toString('hex', 4, 10),
        id: answer.toString('hex', 10, 14),
        from: `${address}:${port}`,
        body: answer.subarray(16),
      });
    });
  }

  static async open(address = '127.0.0.1'): Promise<Asker> {
    const socket = createSocket('udp4');
    socket.bind(0, address);
    await once(socket, 'listening');
    socket.setBroadcast(true);
    onTestFinished(() => {
      socket.close();
    });
    return new Asker(socket);
  }

  /** Sends hex to a port. */
  send(hex: string, port: number, to = '127.0.0.1'): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.send(Buffer.from(hex.replaceAll(' ', ''), 'hex'), port, to, (error) =>
        error === null ? resolve() : reject(error),
      );
    });
  }
}

export const searchFor = (id: string, kind = '00') =>
  `10000008 ffffffffffff ${id} 01${kind} 7f000001 ff000000`;
