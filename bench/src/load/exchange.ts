import { connect, type Socket } from 'node:net';
import { ReplyReader } from './reply-reader.js';

const receiveBytes = 64 * 1024;

/** Takes what comes (Latin-1) apart, and hands each answer over. */
interface Reader {
  /** @throws Error for what was not to be expected. */
  push(received: string): void;
}

export type Reading = (answered: (body: string) => void) => Reader;

const overHttp: Reading = (answered) => new ReplyReader(answered);

/** One keep-alive connection to this machine, with at most one request outstanding. */
export class Exchange {
  readonly #socket: Socket;
  #next: ((body: string) => void) | undefined;
  #ended = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** `failed` is told once of a reply that is not as expected, and of a connection that breaks. */
  static open(port: number, failed: (error: Error) => void, reading: Reading = overHttp): Promise<Exchange> {
    return new Promise((resolve, reject) => {
      const reader = reading((body) => exchange.#answered(body));
      // One buffer that is used again and again: the load must not be what is measured.
      const callback = (bytes: number, buffer: Uint8Array) => {
        try {
          reader.push(Buffer.from(buffer.buffer, buffer.byteOffset, bytes).toString('latin1'));
        } catch (error) {
          exchange.#end();
          failed(error instanceof Error ? error : new Error(String(error)));
        }
        return true;
      };
      const onread = { buffer: Buffer.allocUnsafe(receiveBytes), callback };
      const socket = connect({ host: '127.0.0.1', port, noDelay: true, onread });
      const exchange = new Exchange(socket);
      socket.once('connect', () => resolve(exchange));
      socket.on('error', (error) => {
        reject(error);
        if (!exchange.#ended) failed(error);
      });
      socket.on('close', () => {
        if (!exchange.#ended) failed(new Error('the server closed a connection'));
      });
    });
  }

  /** Sends a whole request (Latin-1) and hands over the body of its reply. */
  ask(request: string, next: (body: string) => void): void {
    this.#next = next;
    this.#socket.write(request, 'latin1');
  }

  /** The same as a promise, for what is not measured. */
  asked(request: string): Promise<string> {
    return new Promise((resolve) => this.ask(request, resolve));
  }

  close(): void {
    this.#end();
  }

  #answered(body: string): void {
    const next = this.#next;
    if (next === undefined) throw new Error('a reply that nobody asked for');
    this.#next = undefined;
    next(body);
  }

  #end(): void {
    this.#ended = true;
    this.#socket.destroy();
  }
}
