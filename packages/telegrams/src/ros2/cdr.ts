import { ByteCursor } from '../rtps/byte-cursor.js';
import { textIn } from '../rtps/parameter-list.js';
import { TelegramError } from '../telegram-error.js';

/** The four bytes before a message: its encoding (plain CDR, big- or little-endian), and no options. */
const encapsulationBytes = 4;
const encoding = { bigEndian: 0x0000, littleEndian: 0x0001 } as const;

const encoder = new TextEncoder();

/**
 * Writes a message as plain CDR, little-endian. Each number is aligned to its own size, counted from the end of the first
 * four bytes. The buffer must be large enough.
 */
export class CdrWriter {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = encapsulationBytes;

  constructor(target: Uint8Array) {
    this.#bytes = target;
    this.#view = new DataView(target.buffer, target.byteOffset, target.length);
    this.#view.setUint32(0, encoding.littleEndian << 16);
  }

  /** Offset of the next byte. */
  get at(): number {
    return this.#at;
  }

  u8(value: number): void {
    this.#view.setUint8(this.#at, value);
    this.#at += 1;
  }

  u32(value: number): void {
    this.align(4);
    this.#view.setUint32(this.#at, value, true);
    this.#at += 4;
  }

  i32(value: number): void {
    this.align(4);
    this.#view.setInt32(this.#at, value, true);
    this.#at += 4;
  }

  f32(value: number): void {
    this.align(4);
    this.#view.setFloat32(this.#at, value, true);
    this.#at += 4;
  }

  f64(value: number): void {
    this.align(8);
    this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  /** Writes a text: u32 length with the zero at the end, then the bytes in UTF-8. */
  text(value: string): void {
    this.align(4);
    const { written } = encoder.encodeInto(value, this.#bytes.subarray(this.#at + 4));
    this.#view.setUint32(this.#at, written + 1, true);
    this.#at += 4 + written;
    this.u8(0);
  }

  /** Writes numbers without a length before them. */
  floats(values: Float32Array, from: number, count: number): void {
    this.align(4);
    for (let index = from; index < from + count; index++, this.#at += 4) {
      this.#view.setFloat32(this.#at, values[index] ?? 0, true);
    }
  }

  bytes(value: Uint8Array): void {
    this.#bytes.set(value, this.#at);
    this.#at += value.length;
  }

  /** Skips bytes that are zero, or that the caller has written. */
  skip(count: number): void {
    this.#at += count;
  }

  align(size: number): void {
    const behind = (this.#at - encapsulationBytes) & (size - 1);
    for (let left = behind === 0 ? 0 : size - behind; left > 0; left--) this.u8(0);
  }

  /** Returns the complete message. Its length is a multiple of 4, as required by RTPS. */
  end(): Uint8Array {
    this.align(4);
    return this.#bytes.subarray(0, this.#at);
  }
}

/** Reads a message of plain CDR. */
export class CdrReader {
  readonly #cursor: ByteCursor;

  /** @throws TelegramError if the message is encoded in another way */
  constructor(payload: Uint8Array) {
    const head = new ByteCursor(payload, false);
    const identifier = head.u16();
    if (identifier !== encoding.bigEndian && identifier !== encoding.littleEndian) {
      throw new TelegramError('plain CDR', `encoding ${identifier}`, 0);
    }
    this.#cursor = new ByteCursor(payload.subarray(encapsulationBytes), identifier === encoding.littleEndian);
  }

  u8(): number {
    return this.#cursor.u8();
  }

  u32(): number {
    this.#cursor.align(4);
    return this.#cursor.u32();
  }

  i32(): number {
    this.#cursor.align(4);
    return this.#cursor.i32();
  }

  f32(): number {
    this.#cursor.align(4);
    return this.#cursor.f32();
  }

  f64(): number {
    this.#cursor.align(8);
    return this.#cursor.f64();
  }

  text(): string {
    this.#cursor.align(4);
    return textIn(this.#cursor);
  }

  bytes(count: number): Uint8Array {
    return this.#cursor.part(count);
  }

  /** Reads a length and this many numbers. */
  floats(): Float32Array {
    const count = this.length(4);
    return Float32Array.from({ length: count }, () => this.f32());
  }

  /** Reads the length of a list whose items have at least this size. @throws TelegramError if the items do not fit */
  length(itemBytes: number): number {
    const count = this.u32();
    if (count * itemBytes > this.#cursor.remaining) {
      throw new TelegramError(`${count} items`, `${this.#cursor.remaining} bytes`, this.#cursor.at);
    }
    return count;
  }
}
