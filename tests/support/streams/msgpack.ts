import { BadTelegram } from './bytes.js';

/** What MSGPACK telegrams are made of; a map has whole numbers for keys. */
export type Packed = number | boolean | Buffer | readonly Packed[] | PackedMap;
export type PackedMap = ReadonlyMap<number, Packed>;

/** Whole numbers up to 255, that are written in one way only. */
export class MsgpackReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** @throws BadTelegram unless the bytes are one value and nothing else */
  static read(bytes: Buffer): Packed {
    const reader = new MsgpackReader(bytes);
    const value = reader.#value(0);
    if (reader.#at !== bytes.length) {
      throw new BadTelegram(`MSGPACK: ${bytes.length - reader.#at} bytes behind the payload`);
    }
    return value;
  }

  #value(depth: number): Packed {
    if (depth > 10) throw new BadTelegram('MSGPACK: nested more than ten deep');
    const tag = this.#take(1).readUInt8();
    if (tag <= 0x7f) return tag;
    if (tag <= 0x8f) return this.#map(tag & 0x0f, depth);
    if (tag <= 0x9f) return this.#list(tag & 0x0f, depth);
    if (tag >= 0xe0) return tag - 256;
    switch (tag) {
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
        return this.#take(this.#take(1).readUInt8());
      case 0xc5:
        return this.#take(this.#take(2).readUInt16BE());
      case 0xc6:
        return this.#take(this.#take(4).readUInt32BE());
      case 0xca:
        return this.#take(4).readFloatBE();
      case 0xcb:
        return this.#take(8).readDoubleBE();
      case 0xcc:
        return this.#take(1).readUInt8();
      case 0xcd:
        return this.#take(2).readUInt16BE();
      case 0xce:
        return this.#take(4).readUInt32BE();
      case 0xcf:
        return this.#u64();
      case 0xdc:
        return this.#list(this.#take(2).readUInt16BE(), depth);
      case 0xde:
        return this.#map(this.#take(2).readUInt16BE(), depth);
      default:
        throw new BadTelegram(`MSGPACK: no value of a scan telegram begins with ${tag.toString(16)}`);
    }
  }

  #u64(): number {
    const value = this.#take(8).readBigUInt64BE();
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new BadTelegram(`MSGPACK: ${value} is beyond 2^53`);
    return Number(value);
  }

  #list(count: number, depth: number): readonly Packed[] {
    const items: Packed[] = [];
    for (let index = 0; index < count; index += 1) items.push(this.#value(depth + 1));
    return items;
  }

  #map(count: number, depth: number): PackedMap {
    const map = new Map<number, Packed>();
    for (let index = 0; index < count; index += 1) {
      const key = this.#value(depth + 1);
      if (typeof key !== 'number') throw new BadTelegram('MSGPACK: a key that is no number');
      if (map.has(key)) throw new BadTelegram(`MSGPACK: the key ${key.toString(16)} twice`);
      map.set(key, this.#value(depth + 1));
    }
    return map;
  }

  #take(size: number): Buffer {
    const end = this.#at + size;
    if (end > this.#bytes.length)
      throw new BadTelegram(`MSGPACK: ${size} bytes expected at ${this.#at}, cut off`);
    const part = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }
}
