/**
 * Writes the parts of MessagePack that scans need, each number in as few bytes as possible. The caller makes sure that
 * there is room.
 */
export class MsgpackWriter {
  readonly #view: DataView;
  at: number;

  constructor(view: DataView, at: number) {
    this.#view = view;
    this.at = at;
  }

  /** A map of up to 15 pairs of key and value, which follow. */
  map(pairs: number): void {
    this.#byte(0x80 | pairs);
  }

  array(items: number): void {
    if (items < 16) {
      this.#byte(0x90 | items);
      return;
    }
    this.#byte(0xdc);
    this.#view.setUint16(this.at, items);
    this.at += 2;
  }

  boolean(value: boolean): void {
    this.#byte(value ? 0xc3 : 0xc2);
  }

  /** A whole number from 0 on; a fraction is left out. */
  uint(value: number): void {
    if (value < 0x80) {
      this.#byte(value);
    } else if (value < 0x100) {
      this.#byte(0xcc);
      this.#byte(value);
    } else if (value < 0x10000) {
      this.#byte(0xcd);
      this.#view.setUint16(this.at, value);
      this.at += 2;
    } else if (value < 2 ** 32) {
      this.#byte(0xce);
      this.#view.setUint32(this.at, value);
      this.at += 4;
    } else {
      this.#byte(0xcf);
      this.#view.setUint32(this.at, value / 2 ** 32);
      this.#view.setUint32(this.at + 4, value);
      this.at += 8;
    }
  }

  f32(value: number): void {
    this.#byte(0xca);
    this.#view.setFloat32(this.at, value);
    this.at += 4;
  }

  /** The head of a byte string of this length; its bytes follow from the returned offset on. */
  binary(length: number): number {
    if (length < 0x100) {
      this.#byte(0xc4);
      this.#byte(length);
    } else if (length < 0x10000) {
      this.#byte(0xc5);
      this.#view.setUint16(this.at, length);
      this.at += 2;
    } else {
      this.#byte(0xc6);
      this.#view.setUint32(this.at, length);
      this.at += 4;
    }
    const start = this.at;
    this.at += length;
    return start;
  }

  #byte(value: number): void {
    this.#view.setUint8(this.at, value);
    this.at += 1;
  }
}
