import { TelegramError } from '../../telegram-error.js';
import { charactersOf } from '../framing.js';
import {
  bytesOfString,
  decodeString,
  type LmdReader,
  type LmdWriter,
  mostBytes,
  readBody,
  writeBody,
} from './fields.js';
import { type LmdHead, type LmdScan, lmdName } from './scan.js';

/**
 * Writes a scan as text (layout: scan.ts), one byte a character. With a word it writes the payload of a telegram, without
 * one, only the bytes behind the name. Numbers that are too large for their field wrap, so counters and times need no change.
 * @throws RangeError for a content that is not 5 characters of ASCII, for the type of an event that is not 4, and for more
 * than 65535 items of a list.
 */
export function encodeLmdText(scan: LmdScan, head?: LmdHead): Uint8Array {
  // A number needs two digits a byte and a blank: at most three bytes for each byte in binary.
  const out = new TextLmdWriter(32 + 3 * mostBytes(scan));
  if (head !== undefined) out.head(head);
  writeBody(out, scan);
  return out.written();
}

const blank = 0x20;
const digits = Uint8Array.from('0123456789ABCDEF', (digit) => digit.charCodeAt(0));
const float = new DataView(new ArrayBuffer(4));

class TextLmdWriter implements LmdWriter {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(room: number) {
    this.#bytes = new Uint8Array(room);
  }

  /** Returns all bytes, without the blank behind the last token. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#at - 1);
  }

  head(word: LmdHead): void {
    this.characters(word);
    this.characters(lmdName);
  }

  u8(value: number): void {
    this.u32(value & 0xff);
  }

  u16(value: number): void {
    this.u32(value & 0xffff);
  }

  u32(value: number): void {
    const word = value >>> 0;
    // The first digit that is not 0, or the last one.
    this.#hex(word, 28 - (Math.min(Math.clz32(word), 28) & ~3));
  }

  i16(value: number): void {
    this.u16(value);
  }

  i32(value: number): void {
    this.u32(value);
  }

  f32(value: number): void {
    float.setFloat32(0, value);
    this.#hex(float.getUint32(0), 28);
  }

  characters(text: string): void {
    for (let index = 0; index < text.length; index++) this.#bytes[this.#at + index] = text.charCodeAt(index);
    this.#at += text.length;
    this.#blank();
  }

  string(text: string): void {
    const bytes = bytesOfString(text);
    this.u16(bytes.length);
    if (bytes.length === 0) return;
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
    this.#blank();
  }

  u8s(values: Uint8Array): void {
    for (const value of values) this.u32(value);
  }

  u16s(values: Uint16Array): void {
    for (const value of values) this.u32(value);
  }

  /** Writes the digits of a number, starting at the digit of this bit. */
  #hex(word: number, from: number): void {
    for (let bit = from; bit >= 0; bit -= 4) this.#bytes[this.#at++] = digits[(word >>> bit) & 0xf] ?? 0;
    this.#blank();
  }

  #blank(): void {
    this.#bytes[this.#at++] = blank;
  }
}

/**
 * Reads a scan from text (layout: scan.ts), one byte a character, from the token after the name on. Several blanks count as
 * one, hexadecimal digits may be lower case, and leading zeros are allowed. Bytes after the last field are ignored. The
 * memory that it takes is in proportion to the bytes received, no matter what lengths they declare.
 * @throws TelegramError if it is not a complete telegram.
 */
export function decodeLmdText(body: Uint8Array): LmdScan {
  return readBody(new TextLmdReader(body));
}

const noDigit = 16;

/** The value of each character as a hex digit. */
const digitValues = new Uint8Array(256).fill(noDigit);
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16);
  digitValues[digit.charCodeAt(0)] = value;
  digitValues[digit.toUpperCase().charCodeAt(0)] = value;
}

class TextLmdReader implements LmdReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  fieldStart = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  u8(): number {
    return this.#number(0xff);
  }

  u16(): number {
    return this.#number(0xffff);
  }

  u32(): number {
    return this.#number(0xffffffff);
  }

  /** Reads a signed number. A negative one has four digits, or eight like one of 32 bits. */
  i16(): number {
    const value = this.u32();
    if (value <= 0xffff) return (value << 16) >> 16;
    if (value >= 0xffff8000) return value | 0;
    throw new TelegramError('a number of 16 bits', value.toString(16).toUpperCase(), this.fieldStart);
  }

  i32(): number {
    return this.u32() | 0;
  }

  f32(): number {
    float.setUint32(0, this.u32());
    return float.getFloat32(0);
  }

  characters(count: number): string {
    const token = this.#token();
    if (token.length === count) return charactersOf(token);
    throw new TelegramError(`${count} characters`, this.#shortenedToken(), this.fieldStart);
  }

  string(): string {
    const count = this.u16();
    if (count === 0) return '';
    const start = this.#bytes[this.#at] === blank ? this.#at + 1 : this.#at;
    const left = this.#bytes.length - start;
    if (count > left) throw new TelegramError(`${count} characters`, `${left}`, start);
    this.#at = start + count;
    return decodeString(this.#bytes.subarray(start, this.#at));
  }

  u8s(count: number): Uint8Array {
    this.#assertTokens(count);
    const values = new Uint8Array(count);
    for (let index = 0; index < count; index++) values[index] = this.#number(0xff);
    return values;
  }

  u16s(count: number): Uint16Array {
    this.#assertTokens(count);
    const values = new Uint16Array(count);
    for (let index = 0; index < count; index++) values[index] = this.#number(0xffff);
    return values;
  }

  /** Reads hex digits up to the next blank. */
  #number(most: number): number {
    const bytes = this.#bytes;
    let at = this.#start();
    let number = 0;
    for (; at < bytes.length && bytes[at] !== blank; at++) {
      const digit = digitValues[bytes[at] ?? 0] ?? noDigit;
      number = number * 16 + digit;
      if (digit === noDigit || number > most) throw this.#noNumber(most);
    }
    this.#at = at;
    return number;
  }

  #token(): Uint8Array {
    const start = this.#start();
    const end = this.#bytes.indexOf(blank, start);
    this.#at = end === -1 ? this.#bytes.length : end;
    return this.#bytes.subarray(start, this.#at);
  }

  /** Skips blanks. Returns the offset of the next token. */
  #start(): number {
    let at = this.#at;
    while (this.#bytes[at] === blank) at++;
    if (at >= this.#bytes.length) throw new TelegramError('a value', 'the end', at);
    this.fieldStart = at;
    return at;
  }

  /** Checks before the allocation that this many tokens fit into the remaining bytes: a blank and a digit each. */
  #assertTokens(count: number): void {
    const left = this.#bytes.length - this.#at;
    if (2 * count > left) throw new TelegramError(`${count} values`, `${left} characters`, this.#at);
  }

  #noNumber(most: number): TelegramError {
    const bits = most.toString(2).length;
    return new TelegramError(`a number of ${bits} bits as hex`, this.#shortenedToken(), this.fieldStart);
  }

  /** Returns the token that was begun last, shortened. */
  #shortenedToken(): string {
    const [token = ''] = charactersOf(this.#bytes.subarray(this.fieldStart, this.fieldStart + 20)).split(' ');
    return JSON.stringify(token);
  }
}
