/**
 * The bytes of a telegram, read by the published tables of offsets. This package reads telegrams on its own, so that a fault
 * in the encoders and decoders of `@azimuth/telegrams` cannot hide itself.
 */
export class TelegramBytes {
  readonly #view: DataView;

  constructor(readonly bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  get length(): number {
    return this.bytes.length;
  }

  u8(at: number): number {
    return this.#view.getUint8(at);
  }

  u16(at: number): number {
    return this.#view.getUint16(at, true);
  }

  u32(at: number): number {
    return this.#view.getUint32(at, true);
  }

  /** Exact up to 2^53. */
  u64(at: number): number {
    return Number(this.#view.getBigUint64(at, true));
  }

  f32(at: number): number {
    return this.#view.getFloat32(at, true);
  }

  /** `count` floats of 32 bits, rounded to 6 digits behind the point. */
  f32s(at: number, count: number): readonly number[] {
    return Array.from({ length: count }, (_, index) => rounded(this.f32(at + 4 * index), 6));
  }

  /** Whether the CRC at an offset is that of the bytes from `from` up to it: `right`, or what came. */
  checksum(from: number, at: number): string {
    const came = this.u32(at);
    const expected = crcOf(this.bytes.subarray(from, at));
    return came === expected ? 'right' : `${hex(came)} in place of ${hex(expected)}`;
  }
}

/** 32 bits in hex, as reports show markers and checksums. */
export function hex(value: number): string {
  return `0x${value.toString(16).padStart(8, '0')}`;
}

/** An angle in rad as degrees, to 1/1000. */
export function degrees(rad: number): number {
  return rounded((rad * 180) / Math.PI, 3);
}

export function rounded(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}

/** The remainder of each byte for the polynomial 0xEDB88320, the reflected one of Ethernet and zlib. */
const remainders = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++)
    remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1;
  return remainder;
});

/** CRC-32: begins with all ones, and all bits are inverted at the end. */
function crcOf(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (remainders[(crc ^ byte) & 0xff] ?? 0);
  return ~crc >>> 0;
}
