import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { type LegacyOptions, LegacyScanner } from '@azimuth/client/legacy';
import { onTestFinished } from 'vitest';
import { AsyncQueue } from './waiting.js';

/** A text telegram, wrapped by hand. */
export function a(text: string): Buffer {
  return Buffer.from(`\u0002${text}\u0003`, 'latin1');
}

/** A binary telegram, wrapped by hand: words as text, values as bytes. */
export function b(...parts: readonly (string | readonly number[])[]): Buffer {
  const payload = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  );
  const frame = Buffer.alloc(payload.length + 9, 2);
  frame.writeUInt32BE(payload.length, 4);
  payload.copy(frame, 8);
  frame[frame.length - 1] = payload.reduce((xor, byte) => xor ^ byte, 0);
  return frame;
}

/** The payload of a binary frame that is looked at as one. */
export function payloadOf(frame: Buffer): string {
  return frame.subarray(8, -1).toString('latin1');
}

/** One connection of a client. */
export class FakeSession {
  /** Bytes of the client, piece by piece as they arrive: a request is one piece here. */
  readonly requests = new AsyncQueue<Buffer>();
  readonly closed: Promise<unknown>;

  constructor(readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('data', (piece) => this.requests.push(piece));
    this.closed = new Promise((resolve) => socket.on('close', resolve));
  }

  /** The next request of a text client, without its frame. */
  async text(): Promise<string> {
    return (await this.requests.next()).toString('latin1').slice(1, -1);
  }

  send(...pieces: readonly Buffer[]): void {
    for (const piece of pieces) this.socket.write(piece);
  }
}

/** A legacy interface that does what a test says. */
export class FakeLegacy {
  readonly sessions = new AsyncQueue<FakeSession>();
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      this.sessions.push(new FakeSession(socket));
    });
  }

  static async start(port = 0): Promise<FakeLegacy> {
    const fake = new FakeLegacy();
    fake.#server.listen(port, '127.0.0.1');
    await once(fake.#server, 'listening');
    onTestFinished(() => fake.stop());
    return fake;
  }

  get port(): number {
    const address = this.#server.address();
    return isPort(address) ? address.port : 0;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** A client of it, and the connection of that. */
  async client(
    options: Partial<LegacyOptions> = {},
  ): Promise<{ scanner: LegacyScanner; session: FakeSession }> {
    const scanner = await LegacyScanner.connect({ host: '127.0.0.1', port: this.port, ...options });
    onTestFinished(() => scanner.close());
    return { scanner, session: await this.sessions.next() };
  }
}

function isPort(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}
