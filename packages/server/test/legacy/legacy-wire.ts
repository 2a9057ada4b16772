import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { until } from '@azimuth/test-support/waiting';
import { onTestFinished } from 'vitest';

/** Bytes written as pairs of hex digits. */
export function hex(pairs: string): Buffer {
  return Buffer.from(pairs.replaceAll(/\s/g, ''), 'hex');
}

export function textFrame(payload: string): Buffer {
  return Buffer.concat([Buffer.of(2), Buffer.from(payload, 'latin1'), Buffer.of(3)]);
}

export function binaryFrame(payload: Buffer | string): Buffer {
  const bytes = typeof payload === 'string' ? Buffer.from(payload, 'latin1') : payload;
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  let xor = 0;
  for (const byte of bytes) xor ^= byte;
  return Buffer.concat([Buffer.of(2, 2, 2, 2), length, bytes, Buffer.of(xor)]);
}

/** A socket to a legacy interface that stores all received bytes. It knows only where a telegram ends. */
export class LegacyWire {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  isClosed = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (piece: Buffer) => {
      this.#received = Buffer.concat([this.#received, piece]);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.isClosed = true;
    });
    socket.on('end', () => {
      this.isClosed = true;
      socket.end();
    });
    onTestFinished(() => {
      socket.destroy();
    });
  }

  /** @param from the address of the client: any of 127.0.0.0/8 */
  static async open(port: number, host = '127.0.0.1', from?: string): Promise<LegacyWire> {
    const localAddress = from === undefined ? {} : { localAddress: from };
    const socket = connect({ port, host, allowHalfOpen: true, ...localAddress });
    await once(socket, 'connect');
    return new LegacyWire(socket);
  }

  get socket(): Socket {
    return this.#socket;
  }

  get received(): Buffer {
    return this.#received;
  }

  write(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  /** Returns this many received bytes, once they are there. */
  async take(count: number): Promise<Buffer> {
    await until(() => this.#received.length >= count || this.isClosed);
    if (this.#received.length < count) throw new Error(`closed after ${this.#received.toString('latin1')}`);
    const taken = this.#received.subarray(0, count);
    this.#received = this.#received.subarray(count);
    return taken;
  }

  /** Returns the payload of the next text telegram. */
  async text(): Promise<string> {
    await until(() => this.#received.includes(3) || this.isClosed);
    const frame = await this.take(this.#received.indexOf(3) + 1);
    return frame.subarray(1, -1).toString('latin1');
  }

  /** Returns the payload of the next binary telegram. */
  async binary(): Promise<Buffer> {
    const head = await this.take(8);
    const rest = await this.take(head.readUInt32BE(4) + 1);
    return rest.subarray(0, -1);
  }

  /** Sends a request in text and returns the response. */
  async ask(payload: string): Promise<string> {
    this.write(textFrame(payload));
    return this.text();
  }

  async askBinary(payload: Buffer | string): Promise<Buffer> {
    this.write(binaryFrame(payload));
    return this.binary();
  }

  get closed(): Promise<void> {
    return until(() => this.isClosed);
  }
}

export const loginHash = { Maintenance: 'B21ACE26', AuthorizedClient: 'F4724744', Service: '81BE23AA' };
