import { createHash, randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectSecurely } from 'node:tls';
import { agreed, type Deflate, deflated, Inflater } from './web-socket-deflate.js';
import {
  closePayload,
  encodeFrame,
  type Frame,
  FrameCutter,
  type FrameWishes,
  opcode,
} from './web-socket-frame.js';

export interface WebSocketWishes {
  readonly path?: string;
  /** What is offered as Sec-WebSocket-Extensions; nothing without. */
  readonly extensions?: string;
  /** Further header lines; one that is there by itself takes its place. */
  readonly headers?: readonly string[];
  /** Over TLS, with this trust. */
  readonly tls?: ConnectionOptions;
  /** Sends nothing by itself: no pong, and no answer to a close frame. */
  readonly silent?: boolean;
}

/** A whole message, however many frames it came in. */
export interface Message {
  readonly kind: 'text' | 'binary';
  readonly data: Buffer;
  readonly compressed: boolean;
  readonly frames: number;
  /** Bytes of all its frames. */
  readonly wireBytes: number;
  /** When its last frame came: ms of performance.now(). */
  readonly at: number;
}

/** How a connection ended. */
export interface Ending {
  /** Of the close frame that came; undefined where none did, 1005 where it stated none. */
  readonly code: number | undefined;
  readonly reason: string;
  /** The connection was torn down (RST), and not ended. Right behind data libuv may take a reset for an end. */
  readonly reset: boolean;
}

/** An answer to a handshake that is not 101. */
export interface Refusal {
  readonly httpStatus: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** RFC 6455 §1.3. */
const magic = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** A WebSocket made by hand: RFC 6455 and RFC 7692 on a bare socket. It masks what it sends, unless told otherwise. */
export class WebSocketByHand {
  readonly #cutter = new FrameCutter();
  readonly #inflater: Inflater | undefined;
  readonly #silent: boolean;
  #begun: Frame[] = [];
  #waiting: Message[] = [];
  #waker: (() => void) | undefined;
  #fault: Error | undefined;
  #code: number | undefined;
  #reason = '';
  #reset = false;
  /** Every message so far, in order. */
  readonly received: Message[] = [];
  readonly pings: Buffer[] = [];
  readonly pongs: Buffer[] = [];
  readonly closed: Promise<Ending>;
  isClosed = false;

  private constructor(
    readonly socket: Socket,
    readonly headers: ReadonlyMap<string, string>,
    readonly deflate: Deflate | undefined,
    silent: boolean,
  ) {
    this.#silent = silent;
    this.#inflater =
      deflate === undefined ? undefined : new Inflater(deflate.serverTakeover, deflate.serverWindowBits);
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#reset = error.code === 'ECONNRESET' || error.code === 'EPIPE';
    });
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.isClosed = true;
        this.#waker?.();
        resolve({ code: this.#code, reason: this.#reason, reset: this.#reset });
      });
    });
    socket.on('data', (piece: Buffer) => {
      try {
        for (const frame of this.#cutter.push(piece)) this.#take(frame);
      } catch (error) {
        this.#fault = error instanceof Error ? error : new Error(String(error));
        socket.destroy();
      }
      this.#waker?.();
    });
  }

  /** Shakes hands; throws, with the answer, where it is refused. */
  static async open(port: number, wishes: WebSocketWishes = {}): Promise<WebSocketByHand> {
    const outcome = await shakeHands(port, wishes);
    if ('refusal' in outcome) {
      const { httpStatus, body } = outcome.refusal;
      throw new Error(`the handshake was refused: ${httpStatus} ${body}`);
    }
    const { socket, headers, rest } = outcome;
    const deflate = agreed(headers.get('sec-websocket-extensions'));
    if (deflate !== undefined && wishes.extensions === undefined)
      throw new Error('nobody offered permessage-deflate');
    const opened = new WebSocketByHand(socket, headers, deflate, wishes.silent ?? false);
    if (rest.length > 0) socket.unshift(rest);
    socket.resume();
    return opened;
  }

  /** Shakes hands where a refusal is expected, and hands it out. */
  static async refused(port: number, wishes: WebSocketWishes = {}): Promise<Refusal> {
    const outcome = await shakeHands(port, wishes);
    if ('refusal' in outcome) return outcome.refusal;
    outcome.socket.destroy();
    throw new Error('the handshake was accepted');
  }

  /** Any frame; a text frame with this in it where a string is given. */
  send(what: string | FrameWishes): void {
    this.write(encodeFrame(typeof what === 'string' ? { opcode: opcode.text, payload: what } : what));
  }

  /** A text message, deflated by itself. */
  sendDeflated(text: string): void {
    if (this.deflate === undefined) throw new Error('permessage-deflate was not agreed on');
    const payload = deflated(Buffer.from(text), this.deflate.clientWindowBits);
    this.send({ opcode: opcode.text, reserved: 4, payload });
  }

  /** Bytes as they are. */
  write(bytes: Buffer): void {
    this.socket.write(bytes);
  }

  /** The next message in order; throws where none comes within so many ms, or none will come. */
  async next(within = 5000): Promise<Message> {
    const deadline = performance.now() + within;
    for (;;) {
      const message = this.#waiting.shift();
      if (message !== undefined) return message;
      if (this.#fault !== undefined) throw this.#fault;
      if (this.isClosed) throw new Error(`no message: closed with ${this.#code} ${this.#reason}`);
      if (performance.now() >= deadline) throw new Error(`no message within ${within} ms`);
      await this.#news(deadline);
    }
  }

  /** The next text, parsed; what came may be of one frame or many. */
  async nextJson(within?: number): Promise<unknown> {
    const { kind, data } = await this.next(within);
    if (kind !== 'text') throw new Error('a binary message came');
    const value: unknown = JSON.parse(data.toString('utf8'));
    return value;
  }

  /** Messages that have come and that nobody has taken yet. */
  get untaken(): number {
    return this.#waiting.length;
  }

  /** Says a ping, waits for its pong: what was sent before it has been read. Messages stay where they are. */
  async pingPong(within = 5000): Promise<void> {
    const payload = randomBytes(8);
    const deadline = performance.now() + within;
    this.send({ opcode: opcode.ping, payload });
    while (!this.pongs.some((pong) => pong.equals(payload))) {
      if (this.isClosed) throw new Error(`no pong: closed with ${this.#code} ${this.#reason}`);
      if (performance.now() >= deadline) throw new Error(`no pong within ${within} ms`);
      await this.#news(deadline);
    }
  }

  /** Says goodbye, and waits for the end. */
  async close(code = 1000): Promise<Ending> {
    this.send({ opcode: opcode.close, payload: closePayload(code) });
    return this.closed;
  }

  destroy(): void {
    this.socket.destroy();
  }

  /** Waits for anything to come, or for the deadline. */
  #news(deadline: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, deadline - performance.now()));
      this.#waker = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #take(frame: Frame): void {
    if (frame.masked) throw new Error('a server must not mask');
    if (frame.opcode >= 8) {
      this.#takeControl(frame);
      return;
    }
    const isFirst = this.#begun.length === 0;
    if (isFirst === (frame.opcode === opcode.continuation)) throw new Error('a frame out of order');
    if (frame.opcode > opcode.binary) throw new Error(`opcode ${frame.opcode}`);
    const mayCompress = isFirst && this.#inflater !== undefined;
    if ((frame.reserved & (mayCompress ? 3 : 7)) !== 0) throw new Error(`reserved bits ${frame.reserved}`);
    this.#begun.push(frame);
    if (frame.fin) this.#finish();
  }

  #finish(): void {
    const frames = this.#begun;
    this.#begun = [];
    const [first] = frames;
    if (first === undefined) return;
    const payload = Buffer.concat(frames.map((frame) => frame.payload));
    const compressed = first.reserved === 4;
    const data = compressed && this.#inflater !== undefined ? this.#inflater.inflate(payload) : payload;
    const kind = first.opcode === opcode.text ? 'text' : 'binary';
    // Throws on what is no UTF-8.
    if (kind === 'text') new TextDecoder('utf-8', { fatal: true }).decode(data);
    const wireBytes = frames.reduce((sum, frame) => sum + frame.wireBytes, 0);
    const message = {
      kind,
      data,
      compressed,
      frames: frames.length,
      wireBytes,
      at: performance.now(),
    } as const;
    this.received.push(message);
    this.#waiting.push(message);
  }

  #takeControl({ opcode: kind, payload, fin, reserved }: Frame): void {
    if (!fin || reserved !== 0 || payload.length > 125) throw new Error('a control frame that is none');
    if (kind === opcode.ping) {
      this.pings.push(payload);
      if (!this.#silent) this.send({ opcode: opcode.pong, payload });
    } else if (kind === opcode.pong) {
      this.pongs.push(payload);
    } else if (kind === opcode.close) {
      if (payload.length === 1) throw new Error('half a close code');
      this.#code ??= payload.length === 0 ? 1005 : payload.readUInt16BE(0);
      this.#reason = payload.subarray(2).toString('utf8');
      if (this.#silent) return;
      this.send({ opcode: opcode.close, payload: payload.subarray(0, 2) });
      this.socket.end();
    } else {
      throw new Error(`opcode ${kind}`);
    }
  }
}

type Outcome =
  | { readonly refusal: Refusal }
  | { readonly socket: Socket; readonly headers: ReadonlyMap<string, string>; readonly rest: Buffer };

/** What a server answers to a key. */
export function acceptOf(key: string): string {
  return createHash('sha1').update(key).update(magic).digest('base64');
}

/** The handshake of RFC 6455 §4.1; throws where the server accepts it in a way that is not right. */
async function shakeHands(port: number, wishes: WebSocketWishes): Promise<Outcome> {
  const { path = '/apievents', extensions, headers = [], tls } = wishes;
  const key = randomBytes(16).toString('base64');
  const lines = new Map(
    [
      'Host: scanner',
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Key: ${key}`,
      'Sec-WebSocket-Version: 13',
      ...(extensions === undefined ? [] : [`Sec-WebSocket-Extensions: ${extensions}`]),
      ...headers,
    ].map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line]),
  );
  const socket = await connected(port, tls);
  socket.write([`GET ${path} HTTP/1.1`, ...lines.values(), '', ''].join('\r\n'));
  const { statusLine, answered, rest } = await headOf(socket);
  const httpStatus = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(statusLine)?.[1]);
  if (httpStatus !== 101) {
    const length = Number(answered.get('content-length') ?? 0);
    const body = await exactly(socket, rest, length);
    socket.destroy();
    return { refusal: { httpStatus, headers: answered, body: body.toString('utf8') } };
  }
  const right =
    answered.get('upgrade')?.toLowerCase() === 'websocket' &&
    answered.get('connection')?.toLowerCase() === 'upgrade' &&
    answered.get('sec-websocket-accept') === acceptOf(key);
  if (!right) {
    socket.destroy();
    throw new Error(`no right handshake: ${[...answered].join('; ')}`);
  }
  return { socket, headers: answered, rest };
}

function connected(port: number, tls: ConnectionOptions | undefined): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const to = { host: '127.0.0.1', port };
    const socket = tls === undefined ? connect(to) : connectSecurely({ ...tls, ...to });
    socket.once('error', reject);
    socket.once(tls === undefined ? 'connect' : 'secureConnect', () => {
      socket.off('error', reject).on('error', () => {});
      resolve(socket);
    });
  });
}

/** The head of an answer, and what came behind it. Leaves the socket paused. */
async function headOf(socket: Socket) {
  let bytes = Buffer.alloc(0);
  for (;;) {
    const end = bytes.indexOf('\r\n\r\n');
    if (end >= 0) {
      const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
      const answered = new Map(
        lines.map((line): [string, string] => {
          const colon = line.indexOf(':');
          return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
        }),
      );
      return { statusLine, answered, rest: bytes.subarray(end + 4) };
    }
    const piece = await pieceOf(socket);
    if (piece === undefined)
      throw new Error(`closed in the middle of a handshake: ${bytes.toString('latin1')}`);
    bytes = Buffer.concat([bytes, piece]);
  }
}

async function exactly(socket: Socket, begun: Buffer, length: number): Promise<Buffer> {
  let bytes = begun;
  while (bytes.length < length) {
    const piece = await pieceOf(socket);
    if (piece === undefined) throw new Error('the answer to a handshake was cut off');
    bytes = Buffer.concat([bytes, piece]);
  }
  return bytes.subarray(0, length);
}

/** What comes next; undefined where the connection ends. Leaves the socket paused. */
function pieceOf(socket: Socket): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    if (socket.destroyed) {
      resolve(undefined);
      return;
    }
    const done = (piece?: Buffer) => {
      socket.pause();
      socket.off('data', done).off('close', end).off('error', end);
      resolve(piece);
    };
    const end = () => done();
    socket.on('data', done).on('close', end).on('error', end);
    socket.resume();
  });
}
