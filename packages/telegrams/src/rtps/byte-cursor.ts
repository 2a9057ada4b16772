import { TelegramError } from '../telegram-error.js';

/** Reads numbers one after the other. Each part of a message states its byte order. */
export class ByteCursor {
  /** Offset of the next byte to read, counted from the beginning. */
  at = 0;
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  readonly #little: boolean;

  constructor(bytes: Uint8Array, littleEndian: boolean) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#little = littleEndian;
  }

  get remaining(): number {
    return this.bytes.length - this.at;
  }

  u8(): number {
    return this.#view.getUint8(this.#advance(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#advance(2), this.#little);
  }

  u32(): number {
    return this.#view.getUint32(this.#advance(4), this.#little);
  }

  i32(): number {
    return this.#view.getInt32(this.#advance(4), this.#little);
  }

  f32(): number {
    return this.#view.getFloat32(this.#advance(4), this.#little);
  }

  f64(): number {
    return this.#view.getFloat64(this.#advance(8), this.#little);
  }

  /** Reads four bytes whose order is always the same, such as the identifier of an endpoint. */
  bigEndian32(): number {
    return this.#view.getUint32(this.#advance(4));
  }

  /** Returns a part of the bytes. It is not copied. */
  part(count: number): Uint8Array {
    const from = this.#advance(count);
    return this.bytes.subarray(from, from + count);
  }

  /** Continues at the next multiple of a power of two. */
  align(size: number): void {
    const next = (this.at + size - 1) & ~(size - 1);
    this.#advance(next - this.at);
  }

  /** Continues at a later offset. */
  goTo(at: number): void {
    if (at < this.at) throw new TelegramError(`a place after byte ${this.at}`, `${at}`, this.at);
    this.#advance(at - this.at);
  }

  #advance(count: number): number {
    const from = this.at;
    if (count > this.remaining) throw new TelegramError(`${count} more bytes`, `${this.remaining}`, from);
    this.at += count;
    return from;
  }
}
