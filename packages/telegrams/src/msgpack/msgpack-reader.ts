import { TelegramError } from '../telegram-error.js';

/**
 * Reads MessagePack value by value, as far as scans need it. Nothing is allocated, whatever lengths are declared: what is
 * not asked for is passed over, and nesting costs nothing.
 */
export class MsgpackReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  at: number;

  /** Reads from `at` to the end of `bytes`; offsets in errors are those of `bytes`. */
  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at === this.#bytes.length;
  }

  /** Number of pairs of a map; keys and values follow. */
  map(): number {
    const { at } = this;
    const head = this.#byte();
    if ((head & 0xf0) === 0x80) return head & 0x0f;
    if (head === 0xde) return this.#uint(2);
    if (head === 0xdf) return this.#uint(4);
    throw unexpected('a map', head, at);
  }

  /** Number of items of an array, which follow. */
  array(): number {
    const { at } = this;
    const head = this.#byte();
    if ((head & 0xf0) === 0x90) return head & 0x0f;
    if (head === 0xdc) return this.#uint(2);
    if (head === 0xdd) return this.#uint(4);
    throw unexpected('an array', head, at);
  }

  /** A whole number from 0 on; above 2^53 the nearest one there is. */
  uint(): number {
    const { at } = this;
    const head = this.#byte();
    const value = this.#wholeNumber(head);
    if (value === undefined || value < 0) throw unexpected('a whole number from 0 on', head, at);
    return value;
  }

  /** A number of any kind. */
  number(): number {
    const { at } = this;
    const head = this.#byte();
    if (head === 0xca) return this.#view.getFloat32(this.#pass(4));
    if (head === 0xcb) return this.#view.getFloat64(this.#pass(8));
    const value = this.#wholeNumber(head);
    if (value === undefined) throw unexpected('a number', head, at);
    return value;
  }

  boolean(): boolean {
    const { at } = this;
    const head = this.#byte();
    if (head === 0xc2) return false;
    if (head === 0xc3) return true;
    throw unexpected('a boolean', head, at);
  }

  /** Bytes, in place: not copied. */
  binary(): Uint8Array {
    const { at } = this;
    const head = this.#byte();
    if (head < 0xc4 || head > 0xc6) throw unexpected('bytes', head, at);
    const length = this.#uint(1 << (head - 0xc4));
    const start = this.#pass(length);
    return this.#bytes.subarray(start, start + length);
  }

  /** Passes over one value with all that is in it. */
  skip(): void {
    for (let values = 1; values > 0; values--) values += this.#skipOne();
  }

  /** Passes over a value; returns how many values in it are still to be passed over. */
  #skipOne(): number {
    const { at } = this;
    const head = this.#byte();
    if (head < 0x80 || head >= 0xe0) return 0;
    if (head < 0x90) return 2 * (head & 0x0f);
    if (head < 0xa0) return head & 0x0f;
    if (head < 0xc0) this.#pass(head & 0x1f);
    else if (head === 0xc1) throw unexpected('a value', head, at);
    else if (head >= 0xc4 && head <= 0xc6) this.#pass(this.#uint(1 << (head - 0xc4)));
    else if (head >= 0xc7 && head <= 0xc9) this.#pass(this.#uint(1 << (head - 0xc7)) + 1);
    else if (head >= 0xca && head <= 0xd8) this.#pass(fixedBytes[head - 0xca] ?? 0);
    else if (head >= 0xd9 && head <= 0xdb) this.#pass(this.#uint(1 << (head - 0xd9)));
    else if (head === 0xdc || head === 0xdd) return this.#uint(head === 0xdc ? 2 : 4);
    else if (head === 0xde || head === 0xdf) return 2 * this.#uint(head === 0xde ? 2 : 4);
    return 0;
  }

  #wholeNumber(head: number): number | undefined {
    if (head < 0x80) return head;
    if (head >= 0xe0) return head - 0x100;
    if (head >= 0xcc && head <= 0xcf) return this.#uint(1 << (head - 0xcc));
    if (head === 0xd0) return this.#view.getInt8(this.#pass(1));
    if (head === 0xd1) return this.#view.getInt16(this.#pass(2));
    if (head === 0xd2) return this.#view.getInt32(this.#pass(4));
    if (head === 0xd3) return Number(this.#view.getBigInt64(this.#pass(8)));
    return undefined;
  }

  #uint(bytes: number): number {
    const at = this.#pass(bytes);
    if (bytes === 1) return this.#view.getUint8(at);
    if (bytes === 2) return this.#view.getUint16(at);
    if (bytes === 4) return this.#view.getUint32(at);
    return this.#view.getUint32(at) * 2 ** 32 + this.#view.getUint32(at + 4);
  }

  #byte(): number {
    return this.#view.getUint8(this.#pass(1));
  }

  /** Goes on by so many bytes; returns where they begin. */
  #pass(bytes: number): number {
    const { at } = this;
    const left = this.#bytes.length - at;
    if (bytes > left) throw new TelegramError(`${bytes} bytes more`, `${left}`, at);
    this.at = at + bytes;
    return at;
  }
}

/** Bytes behind the heads 0xca to 0xd8: floats, whole numbers, extensions of one length with their type. */
const fixedBytes: readonly number[] = [4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 2, 3, 5, 9, 17];

function unexpected(expected: string, head: number, at: number): TelegramError {
  return new TelegramError(expected, `MessagePack 0x${head.toString(16).padStart(2, '0')}`, at);
}
