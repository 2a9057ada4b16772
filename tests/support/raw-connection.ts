import { connect, type Socket } from 'node:net';

export interface RawResponse {
  statusLine: string;
  headers: ReadonlyMap<string, string>;
  body: string;
}

/** One TCP connection, written and read byte by byte. */
export class RawConnection {
  #received = Buffer.alloc(0);
  #wake: (() => void) | undefined;
  /** Settles once the connection is gone, however it went. */
  readonly closed: Promise<void>;
  isClosed = false;

  private constructor(readonly socket: Socket) {
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.isClosed = true;
        this.#wake?.();
        resolve();
      });
    });
    socket.on('error', () => {});
    socket.on('data', (part: Buffer) => {
      this.#received = Buffer.concat([this.#received, part]);
      this.#wake?.();
    });
  }

  static open(port: number, host = '127.0.0.1'): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port });
      const connection = new RawConnection(socket);
      socket.once('connect', () => resolve(connection));
      socket.once('error', reject);
    });
  }

  write(data: string | Buffer): void {
    this.socket.write(data);
  }

  /** Writes a request with exactly these header lines; a body brings its Content-Length. */
  request(line: string, headers: readonly string[] = [], body?: string): void {
    const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
    const head = [`${line} HTTP/1.1`, 'Host: scanner', ...headers, ...length, '', ''].join('\r\n');
    this.write(`${head}${body ?? ''}`);
  }

  /** The next response on the connection, which must state its length. */
  async response(): Promise<RawResponse> {
    for (;;) {
      const end = this.#received.indexOf('\r\n\r\n');
      if (end >= 0) {
        const [statusLine = '', ...lines] = this.#received.subarray(0, end).toString('latin1').split('\r\n');
        const headers = new Map(lines.map(splitHeader));
        const length = Number(headers.get('content-length'));
        if (!Number.isInteger(length)) throw new Error(`no Content-Length in ${[...headers].join(', ')}`);
        const start = end + 4;
        if (this.#received.length >= start + length) {
          const body = this.#received.subarray(start, start + length).toString('utf8');
          this.#received = this.#received.subarray(start + length);
          return { statusLine, headers, body };
        }
      }
      if (this.isClosed) throw new Error('the connection closed before a whole response came');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  destroy(): void {
    this.socket.destroy();
  }
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

/** Whether anything accepts a connection on a loopback port. */
export async function listens(port: number, host = '127.0.0.1'): Promise<boolean> {
  try {
    (await RawConnection.open(port, host)).destroy();
    return true;
  } catch {
    return false;
  }
}
