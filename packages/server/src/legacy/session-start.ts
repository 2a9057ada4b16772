/** Protocols that web browsers speak to any port that a page names. */
export type ForeignProtocol = 'http' | 'tls';

/** What a session has begun with; undefined while that cannot be told yet. */
export type SessionStart = ForeignProtocol | 'telegrams' | undefined;

const startOfTelegram = 0x02;
const lineFeed = 0x0a;

/** A TLS connection begins with a record of the type handshake; its version begins with 3 (RFC 8446, 5.1). */
const tls = '\u0016\u0003';
/** Words that are doubted no longer once they are there; any other one is where its line ends as a request line does. */
const knownMethod = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|CONNECT|PRI) /;
const endOfRequestLine = / HTTP\/\d[^\n]*\n$/;

/** So many characters of a line are kept from its beginning and from its end: enough to tell a request line. */
const kept = 16;

/**
 * Looks at the first bytes of a session, in whatever pieces they come. A page in a browser can have an HTTP request sent
 * here whose body holds telegrams: such a session has to end before any of them is acted on. As long as it cannot be told,
 * nothing has come that could be a telegram.
 */
export class SessionStartDetector {
  #start = '';
  #end = '';

  take(piece: Buffer): SessionStart {
    for (let from = 0; from < piece.length; ) {
      const stop = firstOf(piece, from);
      this.#keep(piece.toString('latin1', from, stop + 1));
      const found = this.#found(piece[stop]);
      if (found !== undefined) return found;
      from = stop + 1;
    }
    return undefined;
  }

  #keep(text: string): void {
    if (this.#start.length < kept) this.#start = (this.#start + text).slice(0, kept);
    this.#end = (this.#end + text).slice(-kept);
  }

  #found(last: number | undefined): SessionStart {
    if (this.#start.startsWith(tls)) return 'tls';
    if (knownMethod.test(this.#start)) return 'http';
    if (last === startOfTelegram) return 'telegrams';
    if (last !== lineFeed) return undefined;
    if (endOfRequestLine.test(this.#end)) return 'http';
    if (this.#start.trim() !== '') return 'telegrams';
    // Empty lines may stand in front of a request (RFC 9112, 2.2).
    this.#start = '';
    return undefined;
  }
}

/** Where the next byte is that something ends with, or the last byte of the piece. */
function firstOf(piece: Buffer, from: number): number {
  const ends = [piece.indexOf(startOfTelegram, from), piece.indexOf(lineFeed, from), piece.length - 1];
  return Math.min(...ends.filter((at) => at >= 0));
}
