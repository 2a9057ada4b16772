import { connect, type Socket } from 'node:net';

/** One HTTP response. */
export interface HttpReply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

const emptyChunks = '0\r\n\r\n';

/** Real ms within which a connection has to be answered or closed. */
const timeout = 15_000;

/** A connection that sends any bytes and parses responses strictly. */
export class HttpConnection {
  readonly #socket: Socket;
  readonly #port: number;
  readonly #mayBeBare: boolean;
  #received = Buffer.alloc(0);
  #wake = () => {};
  #ended = false;
  #broken = false;
  /** Settles when the connection is gone. */
  readonly closed: Promise<void>;
  isClosed = false;

  private constructor(socket: Socket, port: number, mayBeBare: boolean) {
    this.#socket = socket;
    this.#port = port;
    this.#mayBeBare = mayBeBare;
    socket.setNoDelay(true);
    socket.on('data', (part: Buffer) => {
      this.#received = Buffer.concat([this.#received, part]);
      this.#wake();
    });
    socket.on('end', () => {
      this.#ended = true;
      this.#wake();
    });
    socket.on('error', () => {
      this.#broken = true;
    });
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.isClosed = true;
        this.#wake();
        resolve();
      });
    });
  }

  /** @param mayBeBare whether a refusal may be a bare status line */
  static open(port: number, mayBeBare = false): Promise<HttpConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new HttpConnection(socket, port, mayBeBare));
      });
    });
  }

  /** Sends each part by itself, after the part before it has been handed to the system. */
  async send(...parts: readonly Buffer[]): Promise<void> {
    for (const part of parts) {
      if (!this.#socket.writable) return;
      await new Promise<void>((resolve) => {
        this.#socket.write(part, () => resolve());
      });
    }
  }

  /** Ends the sending side. */
  finish(): void {
    this.#socket.end();
  }

  /** Closes the connection with a reset. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  /** The next response; undefined if the connection closes instead. */
  async reply(): Promise<HttpReply | undefined> {
    for (;;) {
      const reply = this.#taken();
      if (reply !== undefined) return reply;
      if (this.#ended || this.isClosed) {
        // A connection that broke may have lost the rest of a response.
        if (this.#received.length > 0 && !this.#broken) {
          throw new Error(
            `half a response, then the end: ${this.#received.toString('latin1').slice(0, 500)}`,
          );
        }
        this.#socket.destroy();
        return undefined;
      }
      await this.#more();
    }
  }

  /** All responses until the connection closes. */
  async replies(): Promise<readonly HttpReply[]> {
    const all: HttpReply[] = [];
    for (let reply = await this.reply(); reply !== undefined; reply = await this.reply()) all.push(reply);
    return all;
  }

  /** Node sends bare refusals for bytes that are not HTTP, and for expectations that it does not support. */
  #isBare(headers: ReadonlyMap<string, string>): boolean {
    return this.#mayBeBare && !headers.has('content-length');
  }

  #more(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#socket.destroy();
        reject(new Error(`port ${this.#port}: neither answered nor closed within ${timeout} ms`));
      }, timeout);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Takes a whole response from the received bytes. Skips interim responses (100). */
  #taken(): HttpReply | undefined {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const [statusLine = '', ...lines] = this.#received.subarray(0, end).toString('latin1').split('\r\n');
    const [, code] = /^HTTP\/1\.1 (\d{3}) [A-Za-z -]+$/.exec(statusLine) ?? [];
    if (code === undefined) throw new Error(`not a status line: ${JSON.stringify(statusLine)}`);
    if (code === '100') {
      this.#received = this.#received.subarray(end + 4);
      return this.#taken();
    }
    const headers = new Map(lines.map(headerOf));
    if (headers.size !== lines.length) throw new Error(`a header twice: ${lines.join(' | ')}`);
    const length = code === '204' ? 0 : this.#isBare(headers) ? bareLength(headers) : lengthIn(headers);
    if (Number.isNaN(length)) throw new Error(`no length: ${statusLine} ${lines.join(' | ')}`);
    if (this.#received.length < end + 4 + length) return undefined;
    const body = this.#received.subarray(end + 4, end + 4 + length);
    this.#received = this.#received.subarray(end + 4 + length);
    if (this.#isBare(headers)) return { status: Number(code), headers, body: '' };
    return { status: Number(code), headers, body: new TextDecoder('utf-8', { fatal: true }).decode(body) };
  }
}

/** An empty body, maybe as chunks. */
function bareLength(headers: ReadonlyMap<string, string>): number {
  return headers.has('transfer-encoding') ? emptyChunks.length : 0;
}

function lengthIn(headers: ReadonlyMap<string, string>): number {
  const stated = headers.get('content-length') ?? '';
  return /^\d+$/.test(stated) ? Number(stated) : Number.NaN;
}

function headerOf(line: string): [string, string] {
  const [, name, value] = /^([A-Za-z0-9-]+): ([\x20-\x7e]*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined)
    throw new Error(`not a header line: ${JSON.stringify(line)}`);
  return [name.toLowerCase(), value];
}
