import { setImmediate } from 'node:timers/promises';
import { inTime } from '@azimuth/async';
import WebSocket from 'ws';
import { NoAnswer } from './http-exchange.js';

/** How the client introduces itself. */
export interface HandshakeOptions {
  /** True if it offers permessage-deflate. */
  readonly compression: boolean;
  readonly timeoutMs: number;
}

/** A message as it came. */
export interface SocketMessage {
  readonly isBinary: boolean;
  readonly text: string;
}

/** Longest message, and most messages that wait. */
const longestMessage = 1024 * 1024;
const mostWaiting = 10_000;

/** Rounds of the event loop without a message after which none is on its way inside this computer. */
const quietRounds = 6;

/** The scanner refused the handshake. */
export class HandshakeRefused extends NoAnswer {
  constructor(readonly httpStatus: number) {
    super(`HTTP ${httpStatus} in place of a WebSocket`);
  }
}

/** A WebSocket to a scanner. Messages wait until they are taken. */
export class EventSocket {
  readonly #socket: WebSocket;
  readonly #waiting: SocketMessage[] = [];
  readonly #pongs: string[] = [];
  #seen = 0;
  #closed: number | undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data, isBinary) => {
      this.#seen += 1;
      if (this.#waiting.length < mostWaiting)
        this.#waiting.push({ isBinary, text: Buffer.isBuffer(data) ? data.toString() : '' });
    });
    socket.on('pong', (data) => this.#pongs.push(data.toString()));
    socket.on('close', (code) => {
      this.#closed = code;
    });
    // 'close' follows.
    socket.on('error', () => undefined);
  }

  /** @param url `ws(s)://…` @throws HandshakeRefused, NoAnswer */
  static async open(url: string, { compression, timeoutMs }: HandshakeOptions): Promise<EventSocket> {
    const socket = new WebSocket(url, {
      perMessageDeflate: compression,
      maxPayload: longestMessage,
      rejectUnauthorized: false,
      handshakeTimeout: timeoutMs,
    });
    const events = new EventSocket(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('unexpected-response', (request, response) => {
        reject(new HandshakeRefused(response.statusCode ?? 0));
        request.destroy();
      });
      socket.once('error', (error) => reject(new NoAnswer(`no WebSocket (${error.message})`)));
    });
    return events;
  }

  /** Extensions in force, as the scanner named them. */
  get extensions(): string {
    return this.#socket.extensions;
  }

  /** Code with which the connection was closed; undefined while it is open. 1006 without a code. */
  get closed(): number | undefined {
    return this.#closed;
  }

  send(message: string | Uint8Array): void {
    this.#socket.send(message, () => undefined);
  }

  /** Sends a ping. @throws NoAnswer if its pong does not come */
  async ping(payload: string, timeoutMs: number): Promise<void> {
    this.#socket.ping(payload);
    const answered = new Promise<void>((resolve) => {
      const check = () => {
        if (this.#pongs.includes(payload)) resolve();
        else this.#socket.once('pong', check);
      };
      check();
    });
    await inTime(timeoutMs, answered, () => {
      throw new NoAnswer(`no pong within ${timeoutMs / 1000} s`);
    });
  }

  /** Takes the oldest message that waits. */
  next(): SocketMessage | undefined {
    return this.#waiting.shift();
  }

  /** Waits until what has reached this computer is here. */
  async settled(): Promise<void> {
    for (let quiet = 0; quiet < quietRounds; quiet++) {
      const before = this.#seen;
      await setImmediate();
      if (this.#seen > before) quiet = 0;
    }
  }

  close(): void {
    this.#socket.terminate();
  }
}
