import type { Clock } from '@azimuth/device';
import { LegacySplitter, type LegacyTelegram } from '@azimuth/telegrams/legacy';
import { bytesInOneGo, largestRequest, longestFrameTime, mostStoredOfLine } from './limits.js';

/** Splits the data of a client into requests, on demand. */
export class SessionInput {
  readonly #clock: Clock;
  readonly #resume: () => void;
  readonly #splitter = new LegacySplitter(largestRequest, true);
  readonly #pieces: Uint8Array[] = [];
  #telegrams: readonly LegacyTelegram[] = [];
  #next = 0;
  #cancelDeadline: (() => void) | undefined;

  /** @param resume called when requests may be available without new data */
  constructor(clock: Clock, resume: () => void) {
    this.#clock = clock;
    this.#resume = resume;
  }

  push(piece: Uint8Array): void {
    this.#pieces.push(piece);
  }

  /** True if there is unprocessed data. */
  get isEmpty(): boolean {
    return this.#pieces.length === 0 && this.#next >= this.#telegrams.length;
  }

  /** Returns the next request, or a marker for a broken frame; undefined until more data comes. */
  next(): LegacyTelegram | undefined {
    for (;;) {
      const telegram = this.#telegrams[this.#next];
      if (telegram !== undefined) {
        this.#next += 1;
        return telegram;
      }
      const slice = this.#slice();
      if (slice === undefined) return undefined;
      this.#replaceTelegrams(this.#splitter.push(slice));
    }
  }

  end(): void {
    this.#cancelDeadline?.();
  }

  /** Limits the wait for the end of a frame. If a length is wrong, the requests after it must not wait for long. */
  #replaceTelegrams(telegrams: readonly LegacyTelegram[]): void {
    this.#telegrams = telegrams;
    this.#next = 0;
    const isInsideFrame = this.#splitter.isInsideFrame;
    if (!isInsideFrame || telegrams.length > 0) {
      this.#cancelDeadline?.();
      this.#cancelDeadline = undefined;
    }
    if (isInsideFrame) this.#cancelDeadline ??= this.#clock.after(longestFrameTime, () => this.#giveUp());
  }

  #giveUp(): void {
    this.#cancelDeadline = undefined;
    // Requests that already wait come first: they arrived before those within the frame.
    this.#replaceTelegrams([...this.#telegrams.slice(this.#next), ...this.#splitter.giveUp()]);
    this.#resume();
  }

  #slice(): Uint8Array | undefined {
    const piece = this.#pieces[0];
    if (piece === undefined) return undefined;
    if (piece.length <= bytesInOneGo) return this.#pieces.shift();
    this.#pieces[0] = piece.subarray(bytesInOneGo);
    return piece.subarray(0, bytesInOneGo);
  }
}

/** Protocols that web browsers use with any port that a page names. */
export type ForeignProtocol = 'http' | 'tls';

/** Protocol of a session's first bytes; undefined while it is not known. */
type SessionStart = ForeignProtocol | 'telegrams' | undefined;

const startOfTelegram = 0x02;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const tab = 0x09;
const blank = 0x20;

/** Start of a TLS connection: a record of the type handshake, with a version that begins with 3 (RFC 8446, 5.1). */
const tls = '\u0016\u0003';
/**
 * Words that identify HTTP at the beginning of a line. After any other word, the end of the line decides: it is HTTP if
 * it ends like a request line. Lenient parsers (RFC 9112, 2.2 and 3) also accept tabs for blanks, a single CR and small
 * letters, so both patterns do.
 */
const knownMethod = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|CONNECT|PRI)[ \t]/i;
const endOfRequestLine = /[ \t]HTTP\/\d[^\r\n]*[\r\n]$/i;

/**
 * Inspects the first bytes of a session, however they are divided into pieces. A web page can make a browser send an
 * HTTP request to this port with telegrams in its body. Such a session must end before any of them is executed. While
 * the protocol is not known, the bytes cannot contain a telegram.
 */
export class SessionStartDetector {
  #start = '';
  #end = '';

  detect(piece: Buffer): SessionStart {
    for (let from = this.#begin(piece, 0); from < piece.length; ) {
      const stop = firstOf(piece, from);
      this.#keep(piece.toString('latin1', from, stop + 1));
      const protocol = this.#protocolOf(piece[stop]);
      if (protocol !== undefined) return protocol;
      from = this.#begin(piece, stop + 1);
    }
    return undefined;
  }

  /**
   * Returns the position of the first line that is not empty: empty lines may precede a request (RFC 9112, 2.2). They
   * are skipped byte by byte: a piece may consist of 64 Ki empty lines, and inspecting each of them would delay other
   * clients.
   */
  #begin(piece: Buffer, from: number): number {
    let at = from;
    if (this.#start === '') while (isBlank(piece[at])) at++;
    return at;
  }

  #keep(text: string): void {
    if (this.#start.length < mostStoredOfLine) this.#start = (this.#start + text).slice(0, mostStoredOfLine);
    this.#end = (this.#end + text).slice(-mostStoredOfLine);
  }

  #protocolOf(last: number | undefined): SessionStart {
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

/**
 * Returns the position of the next byte that begins a telegram or ends a line, or of the last byte. No byte is
 * inspected twice.
 */
function firstOf(piece: Buffer, from: number): number {
  for (let at = from; at < piece.length; at++) {
    const byte = piece[at];
    if (byte === startOfTelegram || byte === lineFeed || byte === carriageReturn) return at;
  }
  return piece.length - 1;
}
