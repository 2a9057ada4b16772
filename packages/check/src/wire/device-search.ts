import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { inTime } from '@azimuth/async';

/** A request of the device search (UDP). */
export interface SearchRequest {
  /** Byte 0: 10 searches, 11 changes the address. */
  readonly kind: number;
  /** Six bytes: of one scanner, or FF for all. */
  readonly mac: readonly number[];
  /** Byte 14: 1 in a request. */
  readonly mark: number;
  /** Byte 15: 2 for XML alone. */
  readonly form: number;
  readonly body: readonly number[];
  /** Bytes of the body as stated in bytes 2 and 3. */
  readonly stated: number;
}

/** Longest answer that is kept, and most answers of one request. */
const longestAnswer = 8192;
const mostAnswers = 64;

/** A UDP socket that asks one scanner. */
export class SearchSocket {
  readonly #socket: Socket;
  readonly #answers: Buffer[] = [];
  readonly #waiters = new Set<() => void>();
  readonly #host: string;
  readonly #port: number;

  private constructor(socket: Socket, host: string, port: number) {
    this.#socket = socket;
    this.#host = host;
    this.#port = port;
    socket.on('error', () => undefined);
    socket.on('message', (datagram) => {
      if (datagram.length > longestAnswer || this.#answers.length >= mostAnswers) return;
      this.#answers.push(datagram);
      for (const arrived of this.#waiters) arrived();
    });
  }

  static open(host: string, port: number): Promise<SearchSocket> {
    const socket = createSocket('udp4');
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.bind(0, () => {
        socket.off('error', reject);
        resolve(new SearchSocket(socket, host, port));
      });
    });
  }

  /** Sends a request. Returns the id that answers repeat. */
  send({ kind, mac, mark, form, body, stated }: SearchRequest): Buffer {
    const id = randomBytes(4);
    const head = Buffer.of(kind, 0, stated >> 8, stated & 255, ...mac, ...id, mark, form);
    this.#socket.send(Buffer.concat([head, Buffer.from(body)]), this.#port, this.#host, () => undefined);
    return id;
  }

  /** Returns the answers to a request that have come. */
  answersTo(id: Buffer): readonly Buffer[] {
    return this.#answers.filter((answer) => answer.subarray(10, 14).equals(id));
  }

  /** Waits until a request has an answer. Fulfilled with false after this time (ms). */
  async answered(id: Buffer, milliseconds: number): Promise<boolean> {
    const end = performance.now() + milliseconds;
    while (this.answersTo(id).length === 0) {
      const left = end - performance.now();
      if (left <= 0 || !(await this.#something(left))) return false;
    }
    return true;
  }

  close(): void {
    this.#socket.close();
  }

  async #something(milliseconds: number): Promise<boolean> {
    let arrived: () => void = () => undefined;
    const waiters = new Promise<boolean>((resolve) => {
      arrived = () => resolve(true);
      this.#waiters.add(arrived);
    });
    try {
      return await inTime(milliseconds, waiters, () => false);
    } finally {
      this.#waiters.delete(arrived);
    }
  }
}
