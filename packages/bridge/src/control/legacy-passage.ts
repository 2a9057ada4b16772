import type { Socket } from 'node:net';
import type { LegacyFaults } from '@azimuth/device/faults';
import {
  errorBinary,
  errorText,
  type Framing,
  frameBinary,
  frameText,
  type LegacyTelegram,
} from '@azimuth/telegrams/legacy';
import { timeNow } from '../timeline/clock.js';
import type { Direction } from '../timeline/timeline-entry.js';
import { type LegacyPiece, LegacyPieces } from './legacy-pieces.js';
import { legacyWithoutSecrets } from './legacy-without-secrets.js';
import { largestTelegram, longestFrameTime } from './limits.js';
import type { Recording } from './recorded-exchange.js';

interface Options {
  readonly direction: Direction;
  readonly from: Socket;
  readonly to: Socket;
  readonly framing: Framing;
  /** Number of the connection. */
  readonly connection: number;
  readonly tell: Recording['tell'];
  /** Planned faults; undefined if there are none. */
  readonly faults: LegacyFaults | undefined;
}

/**
 * One direction of a connection of the legacy protocol. Without planned faults, bytes are passed on as soon as they come. With
 * them, a telegram waits for its end, for up to 2 s.
 */
export class LegacyPassage {
  readonly #options: Options;
  readonly #pieces: LegacyPieces;
  #limit: NodeJS.Timeout | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#pieces = new LegacyPieces(largestTelegram[options.direction]);
  }

  pass(bytes: Uint8Array): void {
    const { faults } = this.#options;
    const pieces = this.#pieces.push(bytes);
    for (const piece of pieces) this.#tell(piece, this.#options.direction);
    if (faults === undefined) {
      this.#send(bytes);
      return;
    }
    for (const piece of pieces) this.#sendFaulty(piece, faults);
    if (pieces.length > 0 || this.#pieces.held === 0) this.#forgetLimit();
    if (this.#pieces.held > 0) this.#limit ??= setTimeout(() => this.#giveUp(), longestFrameTime).unref();
  }

  /** Passes on what waits, because no more comes. */
  end(): void {
    if (this.#options.faults !== undefined) this.#giveUp();
    this.#forgetLimit();
  }

  #giveUp(): void {
    this.#limit = undefined;
    for (const { bytes } of this.#pieces.giveUp()) this.#send(bytes);
  }

  #forgetLimit(): void {
    clearTimeout(this.#limit);
    this.#limit = undefined;
  }

  #sendFaulty({ bytes, telegram }: LegacyPiece, faults: LegacyFaults): void {
    const { direction, from } = this.#options;
    if (telegram === undefined) this.#send(bytes);
    else if (direction === 'from scanner') this.#send(faults.damaged(bytes));
    else {
      const code = faults.refusalOf(telegram.payload);
      if (code === undefined) {
        this.#send(bytes);
        return;
      }
      const refusal = errorTelegram(telegram, code);
      this.#tell({ bytes: refusal, telegram: undefined }, 'from scanner');
      this.#write(from, refusal);
    }
  }

  #send(bytes: Uint8Array): void {
    this.#write(this.#options.to, bytes);
  }

  /** Nothing more is read as long as too much waits for the one that gets it. */
  #write(to: Socket, bytes: Uint8Array): void {
    const { from } = this.#options;
    if (!to.writable || to.write(bytes) || from.isPaused()) return;
    from.pause();
    to.once('drain', () => from.resume());
  }

  #tell(piece: LegacyPiece, direction: Direction): void {
    const { connection, framing, tell } = this.#options;
    const bytes = legacyWithoutSecrets(piece, direction);
    tell({ kind: 'legacy', at: timeNow(), connection, framing, direction, bytes });
  }
}

function errorTelegram({ framing }: LegacyTelegram, code: number): Uint8Array {
  return framing === 'text' ? frameText(errorText(code)) : frameBinary(errorBinary(code));
}
