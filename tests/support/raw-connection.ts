import { connect, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { object, parse } from './json.js';

export interface RawResponse {
  statusLine: string;
  headers: ReadonlyMap<string, string>;
  body: string;
}

/** One TCP connection, written and read byte by byte. */
export class RawConnection {
  #received = Buffer.alloc(0);
  #onReceived: (() => void) | undefined;
  /** Settles once the connection is gone, however it went. */
  readonly closed: Promise<void>;
  isClosed = false;

  private constructor(readonly socket: Socket) {
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.isClosed = true;
        this.#onReceived?.();
        resolve();
      });
    });
    socket.on('error', () => {});
    socket.on('data', (part: Buffer) => {
      this.#received = Buffer.concat([this.#received, part]);
      this.#onReceived?.();
    });
  }

  /** @param from the address of the client: any of 127.0.0.0/8 */
  static open(port: number, address = '127.0.0.1', from?: string): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: address, port, localAddress: from });
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
        this.#onReceived = resolve;
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

/** True if a program accepts connections on a loopback port. */
export async function listens(port: number, address = '127.0.0.1'): Promise<boolean> {
  try {
    (await RawConnection.open(port, address)).destroy();
    return true;
  } catch {
    return false;
  }
}

export const read = 'GET /api/DeviceStatus HTTP/1.1\r\nHost: x\r\n\r\n';
export const post = 'POST /api/getChallenge HTTP/1.1\r\nHost: x\r\n';
export const payload = '{"data":{"user":"Service"}}';

/** A connection that ends with the test. */
export async function open(port: number): Promise<RawConnection> {
  const connection = await RawConnection.open(port);
  onTestFinished(() => connection.destroy());
  return connection;
}

/** Connects, and writes this. */
export async function openAndSend(port: number, text: string): Promise<RawConnection> {
  const connection = await open(port);
  connection.write(text);
  return connection;
}

export function statusIn({ body }: RawResponse): unknown {
  return object(object(parse(body)).header).status;
}

export function httpStatusOf({ statusLine }: RawResponse): number {
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
}

/** Expects that the next response has this status in JSON. */
export async function expectResponse(
  connection: RawConnection,
  status = 0,
  http = 200,
): Promise<RawResponse> {
  const response = await connection.response();
  expect([httpStatusOf(response), statusIn(response)]).toEqual([http, status]);
  expect(response.headers.get('content-type')).toBe('application/json');
  return response;
}

/** Expects that the next response is a refusal in JSON, with its reason, and the last one on its connection. */
export async function expectEnd(connection: RawConnection, http: number, status = 1): Promise<RawResponse> {
  const response = await expectResponse(connection, status, http);
  expect(response.headers.get('connection')).toBe('close');
  expect(response.headers.get('azimuth-detail')).toMatch(/\w/);
  await connection.closed;
  return response;
}

/** Writes a byte whenever some milliseconds have passed, until the connection is closed. */
export async function drip(connection: RawConnection, byte = 'x'): Promise<void> {
  const timer = setInterval(() => connection.write(byte), 10);
  await connection.closed;
  clearInterval(timer);
}
