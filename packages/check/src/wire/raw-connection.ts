import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { connect as connectSecure } from 'node:tls';
import { inTime } from '@azimuth/async';
import { type HttpAnswer, NoAnswer } from './http-exchange.js';
import { parsedAnswer } from './http-text.js';
import { whilePortOpens } from './opening-port.js';

/** Most bytes of answers that are kept. */
const mostReceived = 8 * 1024 * 1024;

/** Time between two pieces in ms: without it, the system sends them together. */
export const betweenPieces = 2;

/** A TCP or TLS connection to the web server of a scanner. Anything can be sent over it. */
export class RawConnection {
  readonly #socket: Socket;
  readonly #end: number;
  #received: Buffer = Buffer.alloc(0);
  #isEnd = false;
  #changed: () => void = () => undefined;

  private constructor(socket: Socket, timeoutMs: number) {
    this.#socket = socket;
    socket.setNoDelay(true);
    this.#end = performance.now() + timeoutMs;
    socket.on('data', (bytes: Buffer) => {
      this.#received = Buffer.concat([this.#received, bytes]);
      if (this.#received.length > mostReceived) socket.destroy();
      this.#changed();
    });
    // A reset ends a connection, like a close.
    socket.on('error', () => socket.destroy());
    for (const event of ['end', 'close'])
      socket.on(event, () => {
        this.#isEnd = true;
        this.#changed();
      });
  }

  /**
   * @param url `http(s)://HOST:PORT`
   * @param timeoutMs longest time until everything that is expected has come
   * @throws NoAnswer
   */
  static open(url: string, timeoutMs: number): Promise<RawConnection> {
    return whilePortOpens(timeoutMs, (left) => RawConnection.#connected(url, left));
  }

  static async #connected(url: string, timeoutMs: number): Promise<RawConnection> {
    const { protocol, hostname, port } = new URL(url);
    const isSecure = protocol === 'https:';
    const address = {
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port === '' ? (isSecure ? 443 : 80) : Number(port),
      allowHalfOpen: true,
    };
    const socket = isSecure ? connectSecure({ ...address, rejectUnauthorized: false }) : connect(address);
    const opened = new Promise<void>((resolve, reject) => {
      socket.once(isSecure ? 'secureConnect' : 'connect', resolve);
      socket.once('error', (error) =>
        reject(new NoAnswer(`the connection failed (${error.message})`, { cause: error })),
      );
    });
    await inTime(timeoutMs, opened, () => {
      socket.destroy();
      throw new NoAnswer(`no connection within ${timeoutMs / 1000} s`);
    });
    return new RawConnection(socket, timeoutMs);
  }

  /** Sends bytes. Resolves when they are on their way, apart from those that follow, or when the connection is gone. */
  async send(bytes: Buffer): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#socket.write(bytes, () => resolve());
    });
    await setTimeout(betweenPieces);
  }

  /** Closes the sending side. */
  endSending(): void {
    this.#socket.end();
  }

  /** Returns the next answer. @throws NoAnswer */
  async answer(isHead: boolean): Promise<HttpAnswer> {
    for (;;) {
      const found = parsedAnswer({ bytes: this.#received, isEnd: this.#isEnd, isHead });
      if (found !== undefined) {
        this.#received = this.#received.subarray(found.length);
        return found.answer;
      }
      if (this.#isEnd) throw new NoAnswer('the connection was closed without a whole answer');
      await this.#change();
    }
  }

  /** Waits until the scanner closes the connection. Returns the bytes that come before. @throws NoAnswer if it stays open */
  async closed(): Promise<Buffer> {
    while (!this.#isEnd) await this.#change();
    return this.#received;
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Waits until bytes or the end have come. */
  #change(): Promise<void> {
    const changed = new Promise<void>((resolve) => {
      this.#changed = resolve;
    });
    return inTime(Math.max(1, this.#end - performance.now()), changed, () => {
      throw new NoAnswer('nothing came in time');
    });
  }
}
