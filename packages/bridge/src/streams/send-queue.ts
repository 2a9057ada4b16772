import { mostWaitingBytes, stallTimeout, telegramOverhead } from './limits.js';
import type { Tally } from './tally.js';

/** A connection that accepts one telegram after the other. */
export interface Sink {
  /** True if the system has not yet accepted all that was written. */
  readonly isBusy: boolean;
  /** Writes a telegram. @param done called when the system has accepted it */
  write(telegram: Uint8Array, done: () => void): void;
  /** Ends the connection at once. */
  close(): void;
}

/**
 * Telegrams that wait for one client. If too many wait, further ones are lost for this client; if it accepts nothing for
 * 30 s, it is closed. A client never gets a part of a telegram and then another one.
 */
export class SendQueue {
  readonly #sink: Sink;
  readonly #tally: Tally;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #stall: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(sink: Sink, tally: Tally) {
    this.#sink = sink;
    this.#tally = tally;
  }

  /** Writes a telegram at once, or keeps it while the client is busy. */
  send(telegram: Uint8Array): void {
    if (this.#isClosed) return;
    if (this.#waiting.length === 0 && !this.#sink.isBusy) {
      this.#write(telegram);
      return;
    }
    const bytes = telegram.length + telegramOverhead;
    if (this.#waitingBytes + bytes > mostWaitingBytes) {
      this.#tally.lose('slow');
      return;
    }
    this.#waiting.push(telegram);
    this.#waitingBytes += bytes;
    this.#watchStall();
  }

  /** Drops what waits. The connection has ended. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#stall);
    if (this.#waiting.length > 0) this.#tally.lose('closed', this.#waiting.length);
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  #write(telegram: Uint8Array): void {
    this.#tally.pass(telegram.length);
    this.#sink.write(telegram, this.#accepted);
  }

  /** Writes one telegram at a time, to notice each time that the client accepts one. */
  readonly #accepted = (): void => {
    clearTimeout(this.#stall);
    this.#stall = undefined;
    while (!this.#isClosed && !this.#sink.isBusy) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#waitingBytes -= next.length + telegramOverhead;
      this.#write(next);
    }
    if (this.#waiting.length > 0) this.#watchStall();
  };

  #watchStall(): void {
    this.#stall ??= setTimeout(() => this.#sink.close(), stallTimeout).unref();
  }
}
