import type { Duplex } from 'node:stream';
import type { Clock } from '@azimuth/device';
import { StallWatch } from '../network/stall-watch.js';
import { mostWaitingBytes, telegramOverhead } from './limits.js';

/** The part of a socket that is used here. */
interface Connection extends Duplex {
  setNoDelay(on: boolean): unknown;
}

interface Options {
  /** Its name in the log. */
  readonly name: string;
  /** Whose it is: see clientOf. */
  readonly address: string;
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

  get address(): string {
    return this.#options.address;
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
    const bytes = telegram.length + telegramOverhead;
    if (this.#waitingBytes + bytes > mostWaitingBytes) return false;
    this.#waiting.push(telegram);
    this.#waitingBytes += bytes;
    return true;
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Writes one telegram at a time, to notice each time that the client takes one. */
  readonly #written = (): void => {
    this.#stallWatch.progress();
    while (!this.isBusy && !this.#socket.destroyed) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#waitingBytes -= next.length + telegramOverhead;
      this.#socket.write(next, this.#written);
    }
  };
}
