import { connect, type Socket } from 'node:net';

const receiveBytes = 64 * 1024;

/** One keep-alive connection to this machine, with at most one request outstanding. */
export class Connection {
  readonly #socket: Socket;
  #next: ((body: string) => void) | undefined;
  #ended = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Opens a connection. `failed` is called for an unexpected response, and if the connection breaks. */
  static open(port: number, failed: (error: Error) => void): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const reader = new ResponseReader((body) => connection.#responded(body));
      // One buffer for all reads, so that the load costs little beside the server.
      const callback = (bytes: number, buffer: Uint8Array) => {
        try {
          reader.push(Buffer.from(buffer.buffer, buffer.byteOffset, bytes).toString('latin1'));
        } catch (error) {
          connection.#end();
          failed(error instanceof Error ? error : new Error(String(error)));
        }
        return true;
      };
      const onread = { buffer: Buffer.allocUnsafe(receiveBytes), callback };
      const socket = connect({ host: '127.0.0.1', port, noDelay: true, onread });
      const connection = new Connection(socket);
      socket.once('connect', () => resolve(connection));
      socket.on('error', (error) => {
        reject(error);
        if (!connection.#ended) failed(error);
      });
      socket.on('close', () => {
        if (!connection.#ended) failed(new Error('the server closed a connection'));
      });
    });
  }

  /** Sends a complete request (Latin-1). `next` gets the body of the response. */
  ask(request: string, next: (body: string) => void): void {
    this.#next = next;
    this.#socket.write(request, 'latin1');
  }

  /** Sends a request that is not measured. Resolves with the body of the response. */
  request(request: string): Promise<string> {
    return new Promise((resolve) => this.ask(request, resolve));
  }

  close(): void {
    this.#end();
  }

  #responded(body: string): void {
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

/**
 * Splits the bytes of a connection into HTTP responses. Text is Latin-1 throughout: one character is one byte. Every
 * response but 200 with a Content-Length is an error.
 */
export class ResponseReader {
  readonly #onResponse: (body: string) => void;
  #rest = '';
  /** Headers stay the same for a second, until their Date changes: only a new head is parsed. */
  #knownHead = '';
  #knownLength = 0;

  constructor(onResponse: (body: string) => void) {
    this.#onResponse = onResponse;
  }

  /** @throws Error for an unexpected reply. */
  push(received: string): void {
    let text = this.#rest === '' ? received : this.#rest + received;
    while (text !== '') {
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) break;
      const start = end + 4;
      const length = this.#bodyLength(text.slice(0, end));
      if (text.length < start + length) break;
      const body = text.slice(start, start + length);
      text = text.slice(start + length);
      this.#onResponse(body);
    }
    this.#rest = text;
  }

  #bodyLength(head: string): number {
    if (head !== this.#knownHead) {
      if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(`not 200: ${head.split('\r\n', 1)[0]}`);
      const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
      if (length === undefined) throw new Error('a reply without Content-Length');
      this.#knownLength = Number(length);
      this.#knownHead = head;
    }
    return this.#knownLength;
  }
}
