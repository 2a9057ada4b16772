import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { inTime } from '@azimuth/async';
import { NoAnswer } from './http-exchange.js';
import { type LegacyFrame, LegacyFrameReader } from './legacy-frames.js';
import { whilePortOpens } from './opening-port.js';
import { betweenPieces } from './raw-connection.js';

/** Most telegrams that wait to be read. A scanner that sends more is not read on. */
const mostWaiting = 10_000;

/** A TCP connection to an interface of the legacy protocol. */
export class LegacyConnection {
  readonly #socket: Socket;
  readonly #reader = new LegacyFrameReader();
  readonly #waiting: LegacyFrame[] = [];
  readonly #waiters = new Set<() => void>();
  #isClosed = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (piece: Buffer) => this.#receive(piece));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#isClosed = true;
      this.#arrived();
    });
  }

  /** @param timeoutMs longest time until the connection stands. @throws NoAnswer */
  static open(host: string, port: number, timeoutMs: number): Promise<LegacyConnection> {
    return whilePortOpens(timeoutMs, (left) => LegacyConnection.#connected(host, port, left));
  }

  static #connected(host: string, port: number, timeoutMs: number): Promise<LegacyConnection> {
    const socket = connect({ host, port, noDelay: true });
    const opened = new Promise<LegacyConnection>((resolve, reject) => {
      socket.once('connect', () => resolve(new LegacyConnection(socket)));
      socket.once('error', (error) =>
        reject(new NoAnswer(`port ${port} does not take a connection (${codeOf(error)})`, { cause: error })),
      );
    });
    return inTime(timeoutMs, opened, () => {
      socket.destroy();
      throw new NoAnswer(`port ${port} took no connection within ${timeoutMs / 1000} s`);
    });
  }

  /** True if the scanner has closed it. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Telegrams that have come and were not taken, oldest first. */
  get waiting(): readonly LegacyFrame[] {
    return this.#waiting;
  }

  /** What is wrong with the bytes that came; undefined as long as all of them are telegrams. */
  get problem(): string | undefined {
    return this.#reader.problem;
  }

  send(bytes: Uint8Array): void {
    if (!this.#socket.destroyed) this.#socket.write(bytes);
  }

  /** Sends bytes apart from those that follow. */
  async sendApart(bytes: Uint8Array): Promise<void> {
    this.send(bytes);
    await setTimeout(betweenPieces);
  }

  /** Ends the sending direction. */
  end(): void {
    this.#socket.end();
  }

  /** Takes the first waiting telegram of a kind, and those before it that are to be skipped stay. */
  take(isWanted: (frame: LegacyFrame) => boolean): LegacyFrame | undefined {
    const at = this.#waiting.findIndex(isWanted);
    return at === -1 ? undefined : this.#waiting.splice(at, 1)[0];
  }

  /** Forgets what has come so far. */
  forget(): void {
    this.#waiting.length = 0;
  }

  /** Waits until something has come, or the connection is closed. Fulfilled with false after this time (ms). */
  async something(milliseconds: number): Promise<boolean> {
    if (this.#isClosed) return true;
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

  close(): void {
    this.#socket.destroy();
  }

  #receive(piece: Buffer): void {
    this.#waiting.push(...this.#reader.push(piece));
    if (this.#waiting.length > mostWaiting) this.#socket.pause();
    this.#arrived();
  }

  #arrived(): void {
    for (const arrived of this.#waiters) arrived();
  }
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
