import { charactersOf } from '../legacy/byte-text.js';
import { TelegramError } from '../telegram-error.js';
import type { LmdScan } from './lmd-scan.js';
import { type LmdReader, readBody, textOfString } from './read-body.js';

/**
 * Reads a scan from text (layout.ts), one byte a character, from the token behind the name on. Several blanks are as good
 * as one, digits may be small, and leading zeros are allowed. What comes behind the last field is passed over. It takes
 * memory in proportion to the bytes that came, whatever they declare.
 * @throws TelegramError where it is none, or not a whole one.
 */
export function decodeLmdText(body: Uint8Array): LmdScan {
  return readBody(new TextLmdReader(body));
}

const blank = 0x20;
const noDigit = 16;
const float = new DataView(new ArrayBuffer(4));

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
  place = 0;

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

  /** A negative number has four digits, or eight as one of 32 bits has. */
  i16(): number {
    const value = this.u32();
    if (value <= 0xffff) return (value << 16) >> 16;
    if (value >= 0xffff8000) return value | 0;
    throw new TelegramError('a number of 16 bits', value.toString(16).toUpperCase(), this.place);
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
    throw new TelegramError(`${count} characters`, this.#shown(), this.place);
  }

  string(): string {
    const count = this.u16();
    if (count === 0) return '';
    const start = this.#bytes[this.#at] === blank ? this.#at + 1 : this.#at;
    const left = this.#bytes.length - start;
    if (count > left) throw new TelegramError(`${count} characters`, `${left}`, start);
    this.#at = start + count;
    return textOfString(this.#bytes.subarray(start, this.#at));
  }

  u8s(count: number): Uint8Array {
    this.#hasTokens(count);
    const values = new Uint8Array(count);
    for (let index = 0; index < count; index++) values[index] = this.#number(0xff);
    return values;
  }

  u16s(count: number): Uint16Array {
    this.#hasTokens(count);
    const values = new Uint16Array(count);
    for (let index = 0; index < count; index++) values[index] = this.#number(0xffff);
    return values;
  }

  /** Hex digits up to the next blank. */
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

  /** Where the next token begins. */
  #start(): number {
    let at = this.#at;
    while (this.#bytes[at] === blank) at++;
    if (at >= this.#bytes.length) throw new TelegramError('a value', 'the end', at);
    this.place = at;
    return at;
  }

  /** Nothing is allocated before there may be so many tokens in the bytes that are left: a blank and a digit each. */
  #hasTokens(count: number): void {
    const left = this.#bytes.length - this.#at;
    if (2 * count > left) throw new TelegramError(`${count} values`, `${left} characters`, this.#at);
  }

  #noNumber(most: number): TelegramError {
    const bits = most.toString(2).length;
    return new TelegramError(`a number of ${bits} bits as hex`, this.#shown(), this.place);
  }

  /** The token that was begun last, cut short. */
  #shown(): string {
    const [token = ''] = charactersOf(this.#bytes.subarray(this.place, this.place + 20)).split(' ');
    return JSON.stringify(token);
  }
}
