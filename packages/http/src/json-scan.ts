/** Extent of a value in the bytes of a body. */
export interface Extent {
  readonly begin: number;
  readonly end: number;
}

/** Facts about a body that a scan of its bytes finds, without parsing. */
interface ScannedBody {
  readonly kind: 'object' | 'null' | 'other' | 'empty';
  readonly header: Extent | undefined;
  readonly data: Extent | undefined;
}

/** Error for bytes that are not JSON. The message states the reason. */
export class NotJson extends Error {
  override readonly name = 'NotJson';
}

/** Error for objects and arrays that are nested deeper than the limit. */
export class TooDeep extends NotJson {
  constructor(deepest: number) {
    super(`the body is nested deeper than ${deepest} objects and arrays`);
  }
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const zero = 0x30;
const minus = 0x2d;
const plus = 0x2b;
const point = 0x2e;
const letterE = 0x65;
const letterU = 0x75;
const lowerCase = 0x20;

const longestName = '"\\u0068\\u0065\\u0061\\u0064\\u0065\\u0072"'.length;

/** Characters that may follow a backslash, except `u`. */
const escapes = new Set(Buffer.from('"\\/bfnrt'));

/**
 * Scans the bytes of a body (RFC 8259) without building values. It finds invalid JSON, nesting that is too deep, and
 * the positions of `header` and `data`. V8 takes up to half a second for a hostile mebibyte; this scan takes about 10
 * ms for any body. The bytes must be UTF-8.
 * @throws NotJson
 */
export function scanBody(bytes: Uint8Array, deepest: number): ScannedBody {
  return new Scan(bytes, deepest).body();
}

class Scan {
  readonly #bytes: Uint8Array;
  readonly #deepest: number;
  #at = 0;

  constructor(bytes: Uint8Array, deepest: number) {
    this.#bytes = bytes;
    this.#deepest = deepest;
  }

  body(): ScannedBody {
    const members: { header?: Extent; data?: Extent } = {};
    this.#blanks();
    const first = this.#bytes[this.#at];
    if (first === undefined) return { kind: 'empty', header: undefined, data: undefined };
    if (first === openBrace) this.#object(1, members);
    else this.#value(0);
    this.#blanks();
    if (this.#at < this.#bytes.length) throw this.#syntaxError();
    const kind = first === openBrace ? 'object' : first === 0x6e ? 'null' : 'other';
    return { kind, header: members.header, data: members.data };
  }

  /** @param depth nesting depth of the enclosing value */
  #value(depth: number): void {
    const byte = this.#bytes[this.#at];
    if (byte === quote) this.#string();
    else if (byte === openBrace) this.#object(depth + 1);
    else if (byte === openBracket) this.#array(depth + 1);
    else if (byte === minus || isDigit(byte)) this.#number();
    else if (byte === 0x74) this.#literal('true');
    else if (byte === 0x66) this.#literal('false');
    else this.#literal('null');
  }

  #object(depth: number, members?: { header?: Extent; data?: Extent }): void {
    this.#open(depth);
    if (this.#bytes[this.#at] === closeBrace) {
      this.#at++;
      return;
    }
    for (;;) {
      const name = this.#at;
      this.#string();
      const nameEnd = this.#at;
      this.#blanks();
      if (this.#bytes[this.#at++] !== colon) throw this.#syntaxError();
      this.#blanks();
      const begin = this.#at;
      this.#value(depth);
      if (members !== undefined) this.#record(members, name, nameEnd, { begin, end: this.#at });
      if (this.#isLast(closeBrace)) return;
    }
  }

  #array(depth: number): void {
    this.#open(depth);
    if (this.#bytes[this.#at] === closeBracket) {
      this.#at++;
      return;
    }
    for (;;) {
      this.#value(depth);
      if (this.#isLast(closeBracket)) return;
    }
  }

  #open(depth: number): void {
    if (depth > this.#deepest) throw new TooDeep(this.#deepest);
    this.#at++;
    this.#blanks();
  }

  /** Reads the separator before the next value, or the closing bracket. */
  #isLast(close: number): boolean {
    this.#blanks();
    const byte = this.#bytes[this.#at++];
    if (byte === close) return true;
    if (byte !== comma) throw this.#syntaxError();
    this.#blanks();
    return false;
  }

  /** Records a member. If members have the same name, the last one counts, as for JSON.parse. */
  #record(members: { header?: Extent; data?: Extent }, begin: number, end: number, value: Extent): void {
    // Every spelling of `header` and `data` is at most this long.
    if (end - begin > longestName) return;
    const name: unknown = JSON.parse(String.fromCharCode(...this.#bytes.subarray(begin, end)));
    if (name === 'header') members.header = value;
    else if (name === 'data') members.data = value;
  }

  #string(): void {
    const bytes = this.#bytes;
    let at = this.#at;
    if (bytes[at++] !== quote) throw this.#syntaxError();
    for (;;) {
      const byte = bytes[at++];
      if (byte === quote) break;
      if (byte === backslash) at = this.#escape(at);
      else if (byte === undefined || byte < 0x20) throw this.#syntaxError();
    }
    this.#at = at;
  }

  /** @param at position of the character after the backslash */
  #escape(at: number): number {
    const byte = this.#bytes[at];
    if (byte === letterU) {
      for (let digit = 1; digit <= 4; digit++) if (!isHex(this.#bytes[at + digit])) throw this.#syntaxError();
      return at + 5;
    }
    if (byte === undefined || !escapes.has(byte)) throw this.#syntaxError();
    return at + 1;
  }

  #number(): void {
    const bytes = this.#bytes;
    if (bytes[this.#at] === minus) this.#at++;
    // A leading zero ends the number (RFC 8259 §6). A digit after it is then refused: it is neither a comma nor a
    // bracket.
    if (bytes[this.#at] === zero) this.#at++;
    else this.#digits();
    if (bytes[this.#at] === point) {
      this.#at++;
      this.#digits();
    }
    const exponent = bytes[this.#at];
    if (exponent === undefined || (exponent | lowerCase) !== letterE) return;
    this.#at++;
    const sign = bytes[this.#at];
    if (sign === plus || sign === minus) this.#at++;
    this.#digits();
  }

  /** Reads one or more digits. */
  #digits(): void {
    const begin = this.#at;
    let at = begin;
    while (isDigit(this.#bytes[at])) at++;
    if (at === begin) throw this.#syntaxError();
    this.#at = at;
  }

  #literal(word: string): void {
    for (let index = 0; index < word.length; index++) {
      if (this.#bytes[this.#at++] !== word.charCodeAt(index)) throw this.#syntaxError();
    }
  }

  #blanks(): void {
    const bytes = this.#bytes;
    let at = this.#at;
    for (;;) {
      const byte = bytes[at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
      at++;
    }
    this.#at = at;
  }

  #syntaxError(): NotJson {
    return new NotJson('the body is not valid JSON');
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= 0x39;
}

function isHex(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const lower = byte | lowerCase;
  return isDigit(byte) || (lower >= 0x61 && lower <= 0x66);
}
