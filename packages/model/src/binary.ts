import { Fault } from './fault.js';

/**
 * Writes the legacy binary encoding (interface B): big-endian, no separators, strings and flexible arrays with
 * their length in front as uint16.
 */
export class BinaryWriter {
  #bytes = new Uint8Array(64);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  #reserve(count: number): number {
    const at = this.#length;
    this.#length += count;
    if (this.#length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length));
      grown.set(this.#bytes);
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    return at;
  }

  uint8(value: number): void {
    const at = this.#reserve(1);
    this.#view.setUint8(at, value);
  }

  uint16(value: number): void {
    const at = this.#reserve(2);
    this.#view.setUint16(at, value);
  }

  uint32(value: number): void {
    const at = this.#reserve(4);
    this.#view.setUint32(at, value);
  }

  uint64(value: bigint): void {
    const at = this.#reserve(8);
    this.#view.setBigUint64(at, value);
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
    const at = this.#reserve(4);
    this.#view.setFloat32(at, value);
  }

  bytes(bytes: Uint8Array): void {
    const at = this.#reserve(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** A copy of what was written so far. */
  take(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}

/** Reads the legacy binary encoding. Throws a {@link Fault} with status 1 where bytes are missing. */
export class BinaryReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get remaining(): number {
    return this.#bytes.length - this.#at;
  }

  #step(count: number): number {
    if (count > this.remaining) {
      throw new Fault('parsingFailed', '', `${count} more bytes expected, ${this.remaining} are left`);
    }
    const at = this.#at;
    this.#at += count;
    return at;
  }

  uint8(): number {
    return this.#view.getUint8(this.#step(1));
  }

  uint16(): number {
    return this.#view.getUint16(this.#step(2));
  }

  uint32(): number {
    return this.#view.getUint32(this.#step(4));
  }

  uint64(): bigint {
    return this.#view.getBigUint64(this.#step(8));
  }

  int8(): number {
    return this.#view.getInt8(this.#step(1));
  }

  int16(): number {
    return this.#view.getInt16(this.#step(2));
  }

  int32(): number {
    return this.#view.getInt32(this.#step(4));
  }

  float32(): number {
    return this.#view.getFloat32(this.#step(4));
  }

  bytes(count: number): Uint8Array {
    const at = this.#step(count);
    return this.#bytes.subarray(at, at + count);
  }

  /** The byte at this offset from here, without moving on; undefined beyond the end. */
  peek(offset: number): number | undefined {
    return this.#bytes[this.#at + offset];
  }
}
