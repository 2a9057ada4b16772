import type { Clock } from '@azimuth/device';
import { LegacySplitter, type LegacyTelegram } from '@azimuth/telegrams/legacy';
import { bytesInOneGo, largestRequest, longestFrameTime } from './limits.js';

/** Splits what a client sends into requests, on demand. */
export class SessionInput {
  readonly #clock: Clock;
  readonly #wake: () => void;
  readonly #splitter = new LegacySplitter(largestRequest, true);
  readonly #pieces: Uint8Array[] = [];
  #telegrams: readonly LegacyTelegram[] = [];
  #next = 0;
  #cancelDeadline: (() => void) | undefined;

  /** @param wake called when requests may be available without new data */
  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  push(piece: Uint8Array): void {
    this.#pieces.push(piece);
  }

  /** Is there unprocessed data? */
  get isEmpty(): boolean {
    return this.#pieces.length === 0 && this.#next >= this.#telegrams.length;
  }

  /** The next request, or a marker for a broken frame; undefined until more data comes. */
  next(): LegacyTelegram | undefined {
    for (;;) {
      const telegram = this.#telegrams[this.#next];
      if (telegram !== undefined) {
        this.#next += 1;
        return telegram;
      }
      const slice = this.#slice();
      if (slice === undefined) return undefined;
      this.#take(this.#splitter.push(slice));
    }
  }

  end(): void {
    this.#cancelDeadline?.();
  }

  /** A wrong length must not hide for long what comes behind it: its sender waits for answers. */
  #take(telegrams: readonly LegacyTelegram[]): void {
    this.#telegrams = telegrams;
    this.#next = 0;
    const isWithin = this.#splitter.isWithinFrame;
    if (!isWithin || telegrams.length > 0) {
      this.#cancelDeadline?.();
      this.#cancelDeadline = undefined;
    }
    if (isWithin) this.#cancelDeadline ??= this.#clock.after(longestFrameTime, () => this.#giveUp());
  }

  #giveUp(): void {
    this.#cancelDeadline = undefined;
    // Requests that wait are acted on first; those within the frame have come behind them.
    this.#take([...this.#telegrams.slice(this.#next), ...this.#splitter.giveUp()]);
    this.#wake();
  }

  #slice(): Uint8Array | undefined {
    const piece = this.#pieces[0];
    if (piece === undefined) return undefined;
    if (piece.length <= bytesInOneGo) return this.#pieces.shift();
    this.#pieces[0] = piece.subarray(bytesInOneGo);
    return piece.subarray(0, bytesInOneGo);
  }
}

/** Protocols that web browsers speak to any port that a page names. */
export type ForeignProtocol = 'http' | 'tls';

/** The protocol of a session's first bytes; undefined while it is not known. */
type SessionStart = ForeignProtocol | 'telegrams' | undefined;

const startOfTelegram = 0x02;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const tab = 0x09;
const blank = 0x20;

/** A TLS connection begins with a record of the type handshake; its version begins with 3 (RFC 8446, 5.1). */
const tls = '\u0016\u0003';
/**
 * Words that are doubted no longer once they are there; any other one is where its line ends as a request line does. Also
 * as parsers read it that are not strict (RFC 9112, 2.2 and 3): tabs for blanks, a lone CR, small letters.
 */
const knownMethod = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|CONNECT|PRI)[ \t]/i;
const endOfRequestLine = /[ \t]HTTP\/\d[^\r\n]*[\r\n]$/i;

/** This many characters of a line are kept from its beginning and from its end: enough to recognise a request line. */
const kept = 16;

/**
 * Inspects the first bytes of a session, in whatever pieces they come. A web page can make a browser send an HTTP
 * request here whose body holds telegrams: such a session must end before any of them is executed. Until the protocol
 * is known, nothing that could be a telegram has come.
 */
export class SessionStartDetector {
  #start = '';
  #end = '';

  take(piece: Buffer): SessionStart {
    for (let from = this.#begin(piece, 0); from < piece.length; ) {
      const stop = firstOf(piece, from);
      this.#keep(piece.toString('latin1', from, stop + 1));
      const found = this.#found(piece[stop]);
      if (found !== undefined) return found;
      from = this.#begin(piece, stop + 1);
    }
    return undefined;
  }

  /**
   * Where the line begins that is looked at: empty lines may stand in front of a request (RFC 9112, 2.2). They are passed
   * byte by byte: a piece may hold nothing else, and a look at each of its 64 Ki lines would hold everybody up.
   */
  #begin(piece: Buffer, from: number): number {
    let at = from;
    if (this.#start === '') while (isBlank(piece[at])) at++;
    return at;
  }

  #keep(text: string): void {
    if (this.#start.length < kept) this.#start = (this.#start + text).slice(0, kept);
    this.#end = (this.#end + text).slice(-kept);
  }

  #found(last: number | undefined): SessionStart {
    if (this.#start.startsWith(tls)) return 'tls';
    if (knownMethod.test(this.#start)) return 'http';
    if (last === startOfTelegram) return 'telegrams';
    if (last !== lineFeed && last !== carriageReturn) return undefined;
    return endOfRequestLine.test(this.#end) ? 'http' : 'telegrams';
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === blank || byte === tab || byte === lineFeed || byte === carriageReturn;
}

/** Where the next byte is that something ends with, or the last byte of the piece. Nothing is looked at twice. */
function firstOf(piece: Buffer, from: number): number {
  for (let at = from; at < piece.length; at++) {
    const byte = piece[at];
    if (byte === startOfTelegram || byte === lineFeed || byte === carriageReturn) return at;
  }
  return piece.length - 1;
}
