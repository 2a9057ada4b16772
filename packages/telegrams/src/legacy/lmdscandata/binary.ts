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
 * Writes a scan in binary (layout: scan.ts): with a word, the payload of a telegram; without one, only the bytes behind the
 * name. Numbers beyond their width wrap, so counters and times need no change.
 * @throws RangeError for a content that is not 5 characters of ASCII, for the type of an event that is not 4, and for more
 * than 65535 items of a list.
 */
export function encodeLmdBinary(scan: LmdScan, head?: LmdHead): Uint8Array {
  const out = new BinaryLmdWriter(32 + mostBytes(scan));
  if (head !== undefined) out.head(head);
  writeBody(out, scan);
  return out.written();
}

class BinaryLmdWriter implements LmdWriter {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(room: number) {
    this.#bytes = new Uint8Array(room);
    this.#view = new DataView(this.#bytes.buffer);
  }

  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }

  head(word: LmdHead): void {
    this.characters(`${word} ${lmdName} `);
  }

  u8(value: number): void {
    this.#view.setUint8(this.#at, value);
    this.#at += 1;
  }

  u16(value: number): void {
    this.#view.setUint16(this.#at, value);
    this.#at += 2;
  }

  u32(value: number): void {
    this.#view.setUint32(this.#at, value);
    this.#at += 4;
  }

  i16(value: number): void {
    this.u16(value);
  }

  i32(value: number): void {
    this.u32(value);
  }

  f32(value: number): void {
    this.#view.setFloat32(this.#at, value);
    this.#at += 4;
  }

  characters(text: string): void {
    for (let index = 0; index < text.length; index++) this.u8(text.charCodeAt(index));
  }

  string(text: string): void {
    const bytes = bytesOfString(text);
    this.u16(bytes.length);
    this.u8s(bytes);
  }

  u8s(values: Uint8Array): void {
    this.#bytes.set(values, this.#at);
    this.#at += values.length;
  }

  u16s(values: Uint16Array): void {
    const view = this.#view;
    let at = this.#at;
    for (let index = 0; index < values.length; index++) {
      view.setUint16(at, values[index] ?? 0);
      at += 2;
    }
    this.#at = at;
  }
}

/**
 * Reads a scan in binary (layout: scan.ts), from the byte after the name and its blank on. Bytes after the last field are
 * ignored. The memory that it takes is in proportion to the bytes received, no matter what lengths they declare.
 * @throws TelegramError if it is not a complete telegram.
 */
export function decodeLmdBinary(body: Uint8Array): LmdScan {
  return readBody(new BinaryLmdReader(body));
}

class BinaryLmdReader implements LmdReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;
  fieldStart = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  u8(): number {
    return this.#view.getUint8(this.#step(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#step(2));
  }

  u32(): number {
    return this.#view.getUint32(this.#step(4));
  }

  i16(): number {
    return this.#view.getInt16(this.#step(2));
  }

  i32(): number {
    return this.#view.getInt32(this.#step(4));
  }

  f32(): number {
    return this.#view.getFloat32(this.#step(4));
  }

  characters(count: number): string {
    return charactersOf(this.#advance(count));
  }

  string(): string {
    return decodeString(this.#advance(this.u16()));
  }

  u8s(count: number): Uint8Array {
    return this.#advance(count).slice();
  }

  u16s(count: number): Uint16Array {
    const start = this.#step(2 * count);
    const values = new Uint16Array(count);
    for (let index = 0; index < count; index++) values[index] = this.#view.getUint16(start + 2 * index);
    return values;
  }

  #advance(count: number): Uint8Array {
    const start = this.#step(count);
    return this.#bytes.subarray(start, start + count);
  }

  #step(count: number): number {
    const left = this.#bytes.length - this.#at;
    if (count > left) throw new TelegramError(`${count} bytes`, `${left}`, this.#at);
    this.fieldStart = this.#at;
    this.#at += count;
    return this.fieldStart;
  }
}
