import type { Duplex } from 'node:stream';
import type { Clock } from '@azimuth/device';
import { StallWatch } from '../network/stall-watch.js';

/** Bytes that telegrams may take while they wait for a client; what comes on top of them is lost to it. */
const mostWaiting = 1024 * 1024;
/** Bytes that one takes beside its own. */
const besides = 200;

/** A socket, as far as it matters here. */
interface Connection extends Duplex {
  setNoDelay(on: boolean): unknown;
}

interface Options {
  /** Its name in the log. */
  readonly name: string;
  readonly clock: Clock;
  /** How long (ms) it may accept nothing while data waits for it; 0 for no limit. */
  readonly stallTimeout: () => number;
}

/** A client that reads telegrams. What it sends is read and dropped. */
export class TelegramClient {
  readonly #socket: Connection;
  readonly #options: Options;
  readonly #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  readonly #stallWatch: StallWatch;

  constructor(socket: Connection, options: Options) {
    this.#socket = socket;
    this.#options = options;
    this.#stallWatch = new StallWatch(socket, options);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#stallWatch.stop());
    socket.resume();
  }

  get name(): string {
    return this.#options.name;
  }

  /** Has the system not yet accepted all data? Then the next telegram has to wait. */
  get isBusy(): boolean {
    return this.#socket.writableLength > 0;
  }

  /** Sends a telegram at once. If the client is busy afterwards, it owns the bytes. */
  write(telegram: Uint8Array): void {
    this.#socket.write(telegram, this.#written);
    if (!this.isBusy) return;
    this.#stallWatch.progress();
    this.#stallWatch.start();
  }

  /** Queues a telegram, and owns its bytes from now on. False if too many wait. */
  keep(telegram: Uint8Array): boolean {
    const bytes = telegram.length + besides;
    if (this.#waitingBytes + bytes > mostWaiting) return false;
    this.#waiting.push(telegram);
    this.#waitingBytes += bytes;
    return true;
  }

  close(): void {
    this.#socket.destroy();
  }

  /** One after the other: so it is seen when the client takes any of them. */
  readonly #written = (): void => {
    this.#stallWatch.progress();
    while (!this.isBusy && !this.#socket.destroyed) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#waitingBytes -= next.length + besides;
      this.#socket.write(next, this.#written);
    }
  };
}
