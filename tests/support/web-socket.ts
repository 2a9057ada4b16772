import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ClientRequest, IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type ConnectionOptions, connect as connectSecurely } from 'node:tls';
import { promisify } from 'node:util';
import { WebSocket } from 'ws';
import { encodeFrame, type FrameOptions, opcode } from './web-socket-frame.js';

export interface WebSocketOptions {
  readonly path?: string;
  /** Sec-WebSocket-Extensions of the request. Without it nothing is offered. */
  readonly extensions?: string;
  /** Headers of the request. They replace those that are set otherwise. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Over TLS, with this trust. */
  readonly tls?: ConnectionOptions;
  /** Reads nothing: no ping and no close frame gets a response. */
  readonly silent?: boolean;
}

export interface Message {
  readonly kind: 'text' | 'binary';
  readonly data: Buffer;
}

/** The end of a connection. */
export interface Ending {
  /** Of the close frame that came: 1005 if it has no code, undefined if no close frame came. */
  readonly code: number | undefined;
  readonly reason: string;
  /** The connection was reset (RST). libuv may report a reset right behind data as an end. */
  readonly reset: boolean;
}

/** A response to a handshake that is not 101. */
export interface Refusal {
  readonly httpStatus: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A client of `ws` that can send broken frames, too. `ws` checks what comes: frames, masks, UTF-8, compression. */
export class WebSocketClient {
  readonly #waiting: Message[] = [];
  #notify: (() => void) | undefined;
  #error: Error | undefined;
  /** Every message so far, in order. */
  readonly received: Message[] = [];
  readonly closed: Promise<Ending>;
  isClosed = false;

  private constructor(
    readonly webSocket: WebSocket,
    readonly socket: Socket,
    /** Sec-WebSocket-Extensions of the response. */
    readonly extensions: string | undefined,
  ) {
    let reset = false;
    socket.on('error', (error: NodeJS.ErrnoException) => {
      reset = error.code === 'ECONNRESET' || error.code === 'EPIPE';
    });
    webSocket.on('error', (error) => {
      if (socket.errored === null) this.#error = error;
    });
    webSocket.on('message', (data: Buffer, isBinary) => {
      const message = { kind: isBinary ? 'binary' : 'text', data } as const;
      this.received.push(message);
      this.#waiting.push(message);
      this.#notify?.();
    });
    this.closed = new Promise((resolve) => {
      webSocket.on('close', (code, reason) => {
        this.isClosed = true;
        this.#notify?.();
        resolve({ code: code === 1006 ? undefined : code, reason: reason.toString(), reset });
      });
    });
  }

  /** @throws with the answer, if the handshake is refused */
  static async open(port: number, options: WebSocketOptions = {}): Promise<WebSocketClient> {
    const outcome = await shakeHands(port, options, (webSocket, socket, extensions) => {
      if (options.silent) socket.removeAllListeners('data').resume();
      return new WebSocketClient(webSocket, socket, extensions);
    });
    if (outcome instanceof WebSocketClient) return outcome;
    throw new Error(`the handshake was refused: ${outcome.httpStatus} ${outcome.body}`);
  }

  /** Shakes hands, expects a refusal, and returns it. */
  static async refused(port: number, options: WebSocketOptions = {}): Promise<Refusal> {
    const outcome = await shakeHands(port, options, (_, socket) => socket.destroy());
    if ('httpStatus' in outcome) return outcome;
    throw new Error('the handshake was accepted');
  }

  /** Sends a text message, or any frame. */
  send(what: string | FrameOptions): void {
    if (typeof what === 'string') this.write(encodeFrame({ opcode: opcode.text, payload: what }));
    else this.write(encodeFrame(what));
  }

  /** Sends a text message compressed. Resolves when it has left: `ws` compresses in another thread. */
  sendCompressed(message: string): Promise<void> {
    return promisify<string, void>((data, sent) => this.webSocket.send(data, { compress: true }, sent))(
      message,
    );
  }

  /** Sends bytes as they are. */
  write(bytes: Buffer): void {
    this.socket.write(bytes);
  }

  /** @returns the next message; @throws if none comes within so many ms, or if the connection has ended */
  async next(timeoutMs = 20_000): Promise<Message> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const message = this.#waiting.shift();
      if (message !== undefined) return message;
      if (this.#error !== undefined) throw this.#error;
      if (this.isClosed) throw new Error('no message: the connection is closed');
      if (performance.now() >= deadline) throw new Error(`no message within ${timeoutMs} ms`);
      await this.#news(deadline);
    }
  }

  /** The next message, which must be text, parsed. */
  async nextJson(timeoutMs?: number): Promise<unknown> {
    const { kind, data } = await this.next(timeoutMs);
    if (kind !== 'text') throw new Error('a binary message came');
    const value: unknown = JSON.parse(data.toString('utf8'));
    return value;
  }

  /** Number of messages that have arrived and that `next` has not returned yet. */
  get unread(): number {
    return this.#waiting.length;
  }

  /** Sends a ping and waits for its pong: what was sent before it has been read. */
  async pingPong(timeoutMs = 20_000): Promise<void> {
    const payload = randomBytes(8);
    const deadline = performance.now() + timeoutMs;
    let responded = false;
    const onPong = (pong: Buffer) => {
      responded ||= pong.equals(payload);
      this.#notify?.();
    };
    this.webSocket.on('pong', onPong);
    this.send({ opcode: opcode.ping, payload });
    try {
      while (!responded) {
        if (this.isClosed) throw new Error('no pong: the connection is closed');
        if (performance.now() >= deadline) throw new Error(`no pong within ${timeoutMs} ms`);
        await this.#news(deadline);
      }
    } finally {
      this.webSocket.off('pong', onPong);
    }
  }

  /** Closes in good order, and waits for the end. */
  close(code = 1000): Promise<Ending> {
    this.webSocket.close(code);
    return this.closed;
  }

  destroy(): void {
    this.socket.destroy();
  }

  /** Waits until something comes, or for the deadline. */
  #news(deadline: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, deadline - performance.now()));
      this.#notify = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** @returns what `opened` makes of the open WebSocket, or the refusal */
async function shakeHands<T>(
  port: number,
  { path = '/apievents', extensions, headers = {}, tls }: WebSocketOptions,
  opened: (webSocket: WebSocket, socket: Socket, extensions: string | undefined) => T,
): Promise<T | Refusal> {
  const to = { host: '127.0.0.1', port };
  const socket = tls === undefined ? connect(to) : connectSecurely({ ...tls, ...to });
  await once(socket, tls === undefined ? 'connect' : 'secureConnect');
  const webSocket = new WebSocket(`ws://scanner${path}`, {
    createConnection: () => socket,
    perMessageDeflate: extensions === undefined ? false : { threshold: 0 },
    finishRequest: (request: ClientRequest) => {
      if (extensions !== undefined) request.setHeader('Sec-WebSocket-Extensions', extensions);
      for (const [name, value] of Object.entries(headers)) request.setHeader(name, value);
      request.end();
    },
  });
  return new Promise((resolve, reject) => {
    let agreed: string | undefined;
    webSocket.on('error', reject);
    webSocket.once('upgrade', (response) => {
      agreed = response.headers['sec-websocket-extensions'];
    });
    // Not later: the first messages may come in the same moment.
    webSocket.once('open', () => resolve(opened(webSocket, socket, agreed)));
    webSocket.once('unexpected-response', (_request, response) => {
      const { statusCode = 0 } = response;
      text(response)
        .then((body) => resolve({ httpStatus: statusCode, headers: response.headers, body }), reject)
        .finally(() => socket.destroy());
    });
  });
}
