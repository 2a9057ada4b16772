import { Refusal } from './envelope.js';

/**
 * Scratch space for values that shifts cannot write. A DataView for each small telegram would cost more than the
 * telegram.
 */
const scratch = new DataView(new ArrayBuffer(8));

/**
 * Writes the legacy binary encoding (interface B): big-endian, no separators, strings and flexible arrays with
 * their length in front as uint16.
 */
export class BinaryWriter {
  #bytes = new Uint8Array(64);
  #length = 0;

  #reserve(count: number): number {
    const at = this.#length;
    this.#length += count;
    if (this.#length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length));
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    return at;
  }

  uint8(value: number): void {
    const at = this.#reserve(1);
    this.#bytes[at] = value;
  }

  uint16(value: number): void {
    const at = this.#reserve(2);
    this.#bytes[at] = value >> 8;
    this.#bytes[at + 1] = value;
  }

  uint32(value: number): void {
    const at = this.#reserve(4);
    this.#bytes[at] = value >> 24;
    this.#bytes[at + 1] = value >> 16;
    this.#bytes[at + 2] = value >> 8;
    this.#bytes[at + 3] = value;
  }

  uint64(value: bigint): void {
    scratch.setBigUint64(0, value);
    this.#copy(8);
  }

  int8(value: number): void {
    this.uint8(value);
  }

  int16(value: number): void {
    this.uint16(value);
  }

  int32(value: number): void {
    this.uint32(value);
  }

  float32(value: number): void {
    scratch.setFloat32(0, value);
    this.#copy(4);
  }

  bytes(bytes: Uint8Array): void {
    const at = this.#reserve(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** Returns a copy of the bytes that were written so far. */
  written(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #copy(count: number): void {
    const at = this.#reserve(count);
    for (let byte = 0; byte < count; byte++) this.#bytes[at + byte] = scratch.getUint8(byte);
  }
}

/** Reads the legacy binary encoding. Throws a {@link Refusal} with status 1 if bytes are missing. */
export class BinaryReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** True if nothing is left to read. */
  get atEnd(): boolean {
    return this.remaining === 0;
  }

  get remaining(): number {
    return this.#bytes.length - this.#at;
  }

  #step(count: number): number {
    if (count > this.remaining) {
      throw new Refusal('parsingFailed', '', `expected ${count} more bytes, got ${this.remaining}`);
    }
    const at = this.#at;
    this.#at += count;
    return at;
  }

  uint8(): number {
    return this.#bytes[this.#step(1)] ?? 0;
  }

  uint16(): number {
    return this.#uint16(this.#step(2));
  }

  uint32(): number {
    return this.int32() >>> 0;
  }

  uint64(): bigint {
    this.#fetch(8);
    return scratch.getBigUint64(0);
  }

  int8(): number {
    return (this.uint8() << 24) >> 24;
  }

  int16(): number {
    return (this.uint16() << 16) >> 16;
  }

  int32(): number {
    const at = this.#step(4);
    return (this.#uint16(at) << 16) | this.#uint16(at + 2);
  }

  float32(): number {
    this.#fetch(4);
    return scratch.getFloat32(0);
  }

  #uint16(at: number): number {
    return ((this.#bytes[at] ?? 0) << 8) | (this.#bytes[at + 1] ?? 0);
  }

  #fetch(count: number): void {
    const at = this.#step(count);
    for (let byte = 0; byte < count; byte++) scratch.setUint8(byte, this.#bytes[at + byte] ?? 0);
  }

  bytes(count: number): Uint8Array {
    const at = this.#step(count);
    return this.#bytes.subarray(at, at + count);
  }

  /** Returns the byte at this offset from here, without moving on; undefined beyond the end. */
  peek(offset: number): number | undefined {
    return this.#bytes[this.#at + offset];
  }
}
