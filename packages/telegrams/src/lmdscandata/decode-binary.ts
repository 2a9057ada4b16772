import { charactersOf } from '../legacy/byte-text.js';
import { TelegramError } from '../telegram-error.js';
import type { LmdScan } from './lmd-scan.js';
import { type LmdReader, readBody, textOfString } from './read-body.js';

/**
 * Reads a scan in binary (layout.ts), from the byte behind the name and its blank on. What comes behind the last field is
 * passed over. It takes memory in proportion to the bytes that came, whatever they declare.
 * @throws TelegramError where it is none, or not a whole one.
 */
export function decodeLmdBinary(body: Uint8Array): LmdScan {
  return readBody(new BinaryLmdReader(body));
}

class BinaryLmdReader implements LmdReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;
  place = 0;

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
    return charactersOf(this.#take(count));
  }

  string(): string {
    return textOfString(this.#take(this.u16()));
  }

  u8s(count: number): Uint8Array {
    return this.#take(count).slice();
  }

  u16s(count: number): Uint16Array {
    const start = this.#step(2 * count);
    const values = new Uint16Array(count);
    for (let index = 0; index < count; index++) values[index] = this.#view.getUint16(start + 2 * index);
    return values;
  }

  #take(count: number): Uint8Array {
    const start = this.#step(count);
    return this.#bytes.subarray(start, start + count);
  }

  #step(count: number): number {
    const left = this.#bytes.length - this.#at;
    if (count > left) throw new TelegramError(`${count} bytes`, `${left}`, this.#at);
    this.place = this.#at;
    this.#at += count;
    return this.place;
  }
}
