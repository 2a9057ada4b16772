import { array, boolean, number, object, string } from '../json.js';
import type { Dialect } from './frames.js';
import { type IntegerWord, integerBits, type Type } from './types.js';

/** A value that is not as the facts write it. */
export class BadValue extends Error {
  override readonly name = 'BadValue';
}

const signed = (word: IntegerWord) => word.startsWith('i');

/** A value as the bytes behind the name of a telegram. */
export function encode(dialect: Dialect, type: Type, value: unknown): Buffer {
  return dialect === 'A' ? Buffer.from(tokensOf(type, value).join(' '), 'latin1') : binaryOf(type, value);
}

/** The value in these bytes, all of which it has to take. */
export function decode(dialect: Dialect, type: Type, bytes: Buffer): unknown {
  const cursor = dialect === 'A' ? new TextCursor(bytes.toString('latin1')) : new BinaryCursor(bytes);
  const value = read(cursor, type);
  cursor.demandEnd();
  return value;
}

function tokensOf(type: Type, value: unknown): string[] {
  if (type === 'boolean') return [boolean(value) ? '1' : '0'];
  if (type === 'float') return [floatWord(number(value))];
  if (typeof type === 'string') return [hexOf(type, number(value))];
  if ('text' in type) {
    const bytes = Buffer.from(string(value), 'utf8').toString('latin1');
    if (type.isPadded === true) return [bytes.padEnd(type.text[1], '\0')];
    if (type.text[0] === type.text[1]) return [bytes];
    return bytes === '' ? ['0'] : [bytes.length.toString(16).toUpperCase(), bytes];
  }
  if ('list' in type) {
    const items = array(value);
    const count = type.count[0] === type.count[1] ? [] : [items.length.toString(16).toUpperCase()];
    return [...count, ...items.flatMap((item) => tokensOf(type.list, item))];
  }
  const members = object(value);
  return Object.entries(type.struct).flatMap(([name, member]) => tokensOf(member, members[name]));
}

function hexOf(word: IntegerWord, value: number): string {
  const size = 1n << BigInt(integerBits[word]);
  return (value < 0 ? size + BigInt(value) : BigInt(value)).toString(16).toUpperCase();
}

function floatWord(value: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatBE(value);
  return bytes.toString('hex').toUpperCase();
}

function binaryOf(type: Type, value: unknown): Buffer {
  if (type === 'boolean') return Buffer.from([boolean(value) ? 1 : 0]);
  if (type === 'float') return Buffer.from(floatWord(number(value)), 'hex');
  if (typeof type === 'string') {
    return Buffer.from(hexOf(type, number(value)).padStart(integerBits[type] / 4, '0'), 'hex');
  }
  if ('text' in type) {
    const bytes = Buffer.from(string(value), 'utf8');
    if (type.isPadded === true) return Buffer.concat([bytes, Buffer.alloc(type.text[1] - bytes.length)]);
    return type.text[0] === type.text[1] ? bytes : Buffer.concat([uint16(bytes.length), bytes]);
  }
  if ('list' in type) {
    const items = array(value).map((item) => binaryOf(type.list, item));
    return Buffer.concat(type.count[0] === type.count[1] ? items : [uint16(items.length), ...items]);
  }
  const members = object(value);
  return Buffer.concat(Object.entries(type.struct).map(([name, member]) => binaryOf(member, members[name])));
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

interface Cursor {
  integer(word: IntegerWord): number;
  float(): number;
  /** So many bytes of text. */
  bytes(count: number): Buffer;
  /** The bytes of so many characters. */
  characters(count: number): Buffer;
  demandEnd(): void;
}

function read(cursor: Cursor, type: Type): unknown {
  if (type === 'boolean') {
    const bit = cursor.integer('uint8');
    if (bit > 1) throw new BadValue(`expected 0 or 1, got ${bit}`);
    return bit === 1;
  }
  if (type === 'float') return cursor.float();
  if (typeof type === 'string') return cursor.integer(type);
  if ('text' in type) {
    const [least, most] = type.text;
    if (type.isPadded === true) return cursor.bytes(most).toString('utf8').replace(/\0+$/, '');
    const bytes = least === most ? cursor.characters(most) : cursor.bytes(cursor.integer('uint16'));
    return bytes.toString('utf8');
  }
  if ('list' in type) {
    const [least, most] = type.count;
    const count = least === most ? most : cursor.integer('uint16');
    if (count < least || count > most) throw new BadValue(`${count} items, ${least} to ${most} expected`);
    return Array.from({ length: count }, () => read(cursor, type.list));
  }
  return Object.fromEntries(
    Object.entries(type.struct).map(([name, member]) => [name, read(cursor, member)]),
  );
}

/** Tokens with exactly one blank between them; upper-case hex without leading zeros, floats as eight digits. */
export class TextCursor implements Cursor {
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  word(): string {
    this.#blank();
    const end = this.#text.indexOf(' ', this.#at);
    const word = this.#text.slice(this.#at, end === -1 ? undefined : end);
    if (word === '') throw new BadValue(`a value is missing at ${this.#at} of "${this.#text}"`);
    this.#at += word.length;
    return word;
  }

  integer(word: IntegerWord): number {
    const token = this.word();
    if (!/^(?:0|[1-9A-F][0-9A-F]*)$/.test(token)) throw new BadValue(`no trimmed hex: "${token}"`);
    const bits = integerBits[word];
    const value = BigInt(`0x${token}`);
    if (value >= 1n << BigInt(bits)) throw new BadValue(`more than ${bits} bits: ${token}`);
    return Number(signed(word) ? BigInt.asIntN(bits, value) : value);
  }

  float(): number {
    const token = this.word();
    if (!/^[0-9A-F]{8}$/.test(token)) throw new BadValue(`no float of eight digits: "${token}"`);
    return Buffer.from(token, 'hex').readFloatBE();
  }

  bytes(count: number): Buffer {
    if (count === 0) return Buffer.alloc(0);
    this.#blank();
    const bytes = Buffer.from(this.#text.slice(this.#at, this.#at + count), 'latin1');
    if (bytes.length < count) throw new BadValue(`expected ${count} characters, got ${bytes.length}`);
    this.#at += count;
    return bytes;
  }

  characters(count: number): Buffer {
    const start = this.#at === 0 ? 0 : this.#at + 1;
    const rest = Buffer.from(this.#text.slice(start), 'latin1').toString('utf8');
    return this.bytes(Buffer.byteLength([...rest].slice(0, count).join('')));
  }

  demandEnd(): void {
    if (!this.atEnd) throw new BadValue(`left over: "${this.#text.slice(this.#at)}"`);
  }

  #blank(): void {
    if (this.#at === 0) return;
    if (this.#text[this.#at] !== ' ')
      throw new BadValue(`a value is missing at ${this.#at} of "${this.#text}"`);
    this.#at += 1;
  }
}

/** Big-endian, nothing between the values. */
export class BinaryCursor implements Cursor {
  #at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  integer(word: IntegerWord): number {
    const bits = integerBits[word];
    const value = BigInt(`0x${this.bytes(bits / 8).toString('hex')}`);
    return Number(signed(word) ? BigInt.asIntN(bits, value) : value);
  }

  float(): number {
    return this.bytes(4).readFloatBE();
  }

  bytes(count: number): Buffer {
    if (count > this.left)
      throw new BadValue(`${count} bytes expected at ${this.#at}, ${this.left} are left`);
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  characters(count: number): Buffer {
    const rest = this.#bytes.subarray(this.#at).toString('utf8');
    return this.bytes(Buffer.byteLength([...rest].slice(0, count).join('')));
  }

  demandEnd(): void {
    if (this.left !== 0) throw new BadValue(`${this.left} bytes left over`);
  }
}
