import type { TelegramBytes } from './telegram-bytes.js';

/** A value of MessagePack. Keys of maps are written as `0x10`. */
export type Packed = number | boolean | string | null | Uint8Array | readonly Packed[] | PackedMap;

export interface PackedMap {
  readonly [key: string]: Packed;
}

/** Values inside of each other, at most: telegrams have 7. */
const deepest = 16;
/** Values of one telegram, at most: those of one layer are below 200. */
const mostValues = 4096;

/**
 * Reads the value of MessagePack that begins at an offset. Numbers are big-endian there.
 * @returns the value, and the offset behind it
 * @throws RangeError for what is cut off, too deep, or too much
 */
export function readPacked(
  telegram: TelegramBytes,
  at: number,
): { readonly value: Packed; readonly end: number } {
  const reader = new PackedReader(telegram.bytes, at);
  const value = reader.value(0);
  return { value, end: reader.at };
}

/** Returns the key of a map as reports show it. */
export function keyName(key: Packed): string {
  return typeof key === 'number' ? `0x${key.toString(16).padStart(2, '0')}` : String(key);
}

class PackedReader {
  readonly #view: DataView;
  readonly #bytes: Uint8Array;
  #values = 0;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.at = at;
  }

  value(depth: number): Packed {
    this.#values += 1;
    if (depth > deepest || this.#values > mostValues) throw new RangeError('too many values of MessagePack');
    const head = this.#number(1);
    if (head < 0x80) return head;
    if (head < 0x90) return this.#map(head & 0x0f, depth);
    if (head < 0xa0) return this.#array(head & 0x0f, depth);
    if (head < 0xc0) return this.#text(head & 0x1f);
    if (head >= 0xe0) return head - 0x100;
    return this.#long(head, depth);
  }

  #long(head: number, depth: number): Packed {
    switch (head) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
        return this.#binary(this.#number(1));
      case 0xc5:
        return this.#binary(this.#number(2));
      case 0xc6:
        return this.#binary(this.#number(4));
      case 0xca:
        return this.#view.getFloat32(this.#skip(4));
      case 0xcb:
        return this.#view.getFloat64(this.#skip(8));
      case 0xcc:
        return this.#number(1);
      case 0xcd:
        return this.#number(2);
      case 0xce:
        return this.#number(4);
      case 0xcf:
        return Number(this.#view.getBigUint64(this.#skip(8)));
      case 0xd0:
        return this.#view.getInt8(this.#skip(1));
      case 0xd1:
        return this.#view.getInt16(this.#skip(2));
      case 0xd2:
        return this.#view.getInt32(this.#skip(4));
      case 0xd3:
        return Number(this.#view.getBigInt64(this.#skip(8)));
      case 0xd9:
        return this.#text(this.#number(1));
      case 0xdc:
        return this.#array(this.#number(2), depth);
      case 0xde:
        return this.#map(this.#number(2), depth);
      default:
        throw new RangeError(`0x${head.toString(16)} at byte ${this.at - 1} begins no value of a telegram`);
    }
  }

  #map(pairs: number, depth: number): PackedMap {
    const members: [string, Packed][] = [];
    for (let pair = 0; pair < pairs; pair++) {
      const key = keyName(this.value(depth + 1));
      members.push([key, this.value(depth + 1)]);
    }
    return Object.fromEntries(members);
  }

  #array(items: number, depth: number): readonly Packed[] {
    const values: Packed[] = [];
    for (let item = 0; item < items; item++) values.push(this.value(depth + 1));
    return values;
  }

  #text(length: number): string {
    return Buffer.from(this.#binary(length)).toString();
  }

  #binary(length: number): Uint8Array {
    const start = this.#skip(length);
    if (this.at > this.#bytes.length) throw new RangeError(`${length} bytes at byte ${start} are cut off`);
    return this.#bytes.subarray(start, this.at);
  }

  /** Reads a whole number without a sign. */
  #number(bytes: 1 | 2 | 4): number {
    const at = this.#skip(bytes);
    if (bytes === 1) return this.#view.getUint8(at);
    return bytes === 2 ? this.#view.getUint16(at) : this.#view.getUint32(at);
  }

  #skip(bytes: number): number {
    const start = this.at;
    this.at += bytes;
    return start;
  }
}
