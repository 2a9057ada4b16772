import { crc32 } from 'node:zlib';

/** A malformed telegram. */
export class BadTelegram extends Error {
  override readonly name = 'BadTelegram';
}

/** The four bytes that every telegram begins with, as a number. */
export const startMarker = 0x02020202;

/** No datagram over IPv4 carries more. */
export const largestDatagram = 65_507;

/** Reads little-endian values in order, and never beyond the end. */
export class Cursor {
  readonly #bytes: Buffer;
  offset = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.offset;
  }

  u8(field: string): number {
    return this.#bytes.readUInt8(this.#step(1, field));
  }

  u16(field: string): number {
    return this.#bytes.readUInt16LE(this.#step(2, field));
  }

  u32(field: string): number {
    return this.#bytes.readUInt32LE(this.#step(4, field));
  }

  /** A u64 that a number holds exactly; no count and no time of a scanner is larger. */
  u64(field: string): number {
    const value = this.#bytes.readBigUInt64LE(this.#step(8, field));
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new BadTelegram(`${field}: ${value} is beyond 2^53`);
    return Number(value);
  }

  f32(field: string): number {
    const value = this.#bytes.readFloatLE(this.#step(4, field));
    if (!Number.isFinite(value)) throw new BadTelegram(`${field}: ${value} is no number`);
    return value;
  }

  list<T>(count: number, read: () => T): T[] {
    return Array.from({ length: count }, read);
  }

  #step(size: number, field: string): number {
    const at = this.offset;
    if (at + size > this.#bytes.length) {
      throw new BadTelegram(
        `${field}: ${size} bytes expected at ${at}, the telegram ends at ${this.#bytes.length}`,
      );
    }
    this.offset += size;
    return at;
  }
}

/** @throws BadTelegram unless the value is what it has to be */
export function demand(field: string, value: number, ...allowed: readonly number[]): void {
  if (!allowed.includes(value))
    throw new BadTelegram(`${field}: ${allowed.join(' or ')} expected, got ${value}`);
}

/** @throws BadTelegram unless the four bytes at `at` are the CRC-32 of the part given */
export function demandCrc(telegram: Buffer, at: number, part: Buffer): void {
  const sent = telegram.readUInt32LE(at);
  const counted = crc32(part);
  if (sent !== counted) {
    throw new BadTelegram(`CRC: ${counted.toString(16)} counted, ${sent.toString(16)} sent`);
  }
}
