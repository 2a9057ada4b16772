import type { BinaryReader, BinaryWriter } from '../binary.js';
import { type TextReader, type TextWriter, TokenRefusal } from '../text.js';

interface Width {
  readonly bits: number;
  readonly minimum: number;
  readonly maximum: number;
  write(out: BinaryWriter, value: number): void;
  read(input: BinaryReader): number;
}

/** Integer widths of the interface. A uint64 is at most 2^53 - 1, which JSON numbers carry exactly. */
export const widths = {
  int8: {
    bits: 8,
    minimum: -128,
    maximum: 127,
    write: (out, value) => out.int8(value),
    read: (input) => input.int8(),
  },
  int16: {
    bits: 16,
    minimum: -32768,
    maximum: 32767,
    write: (out, value) => out.int16(value),
    read: (input) => input.int16(),
  },
  int32: {
    bits: 32,
    minimum: -2147483648,
    maximum: 2147483647,
    write: (out, value) => out.int32(value),
    read: (input) => input.int32(),
  },
  uint8: {
    bits: 8,
    minimum: 0,
    maximum: 255,
    write: (out, value) => out.uint8(value),
    read: (input) => input.uint8(),
  },
  uint16: {
    bits: 16,
    minimum: 0,
    maximum: 65535,
    write: (out, value) => out.uint16(value),
    read: (input) => input.uint16(),
  },
  uint32: {
    bits: 32,
    minimum: 0,
    maximum: 4294967295,
    write: (out, value) => out.uint32(value),
    read: (input) => input.uint32(),
  },
  uint64: {
    bits: 64,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    write: (out, value) => out.uint64(BigInt(value)),
    // A number beyond 2^53 - 1 loses digits here, and is refused by the range check all the same.
    read: (input) => Number(input.uint64()),
  },
} as const satisfies Record<string, Width>;

export type IntegerFormat = keyof typeof widths;

/** Returns upper-case hex without leading zeros; a negative number as two's complement over its full width. */
export function integerToText(format: IntegerFormat, value: number, out: TextWriter): void {
  const unsigned = value < 0 ? BigInt.asUintN(widths[format].bits, BigInt(value)) : BigInt(value);
  out.token(unsigned.toString(16).toUpperCase());
}

/**
 * Reads an integer of a text telegram: hex, or decimal when it carries a sign (`+2115`, `-5`). Hex of a signed width is
 * two's complement. The range is not checked here.
 * @throws Refusal 2 for other characters, 6 for more bits than the width has.
 */
export function integerFromText(format: IntegerFormat, input: TextReader, at: string): number {
  const token = input.token(at);
  if (/^[+-]\d{1,20}$/.test(token)) return Number(token);
  if (!/^[0-9a-f]+$/i.test(token)) {
    throw new TokenRefusal('character', at, 'expected hex digits, or a sign and decimal digits');
  }
  const { bits, minimum } = widths[format];
  const unsigned = BigInt(`0x${token}`);
  if (unsigned >= 1n << BigInt(bits)) throw new TokenRefusal('overflow', at, `more than ${bits} bits`);
  return Number(minimum < 0 ? BigInt.asIntN(bits, unsigned) : unsigned);
}
