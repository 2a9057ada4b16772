import { SceneError } from '../file-problems.js';
import { checkSize } from './limits.js';
import type { MapImage } from './occupied-cells.js';

const lineFeed = 10;
const hash = 35;
const zero = 48;

/** Largest value of a pixel in a PGM file. */
const mostBrightness = 65_535;

/** True if a file begins like a PGM file, of bytes (P5) or of text (P2). */
export function isPgm(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && (bytes[1] === 0x35 || bytes[1] === 0x32);
}

/**
 * Decodes a PGM file. Its layout:
 *
 * | part | content |
 * |---|---|
 * | magic | `P5`, or `P2` if the pixels are decimal numbers |
 * | head | width, height and the value of white in decimals, each after white space or a comment (`#` to the end of its line) |
 * | pixels | row by row from the top; for P5 after one byte of white space, each in 1 byte, or in 2 (big-endian) if white is above 255 |
 *
 * @throws SceneError
 */
export function decodePgm(bytes: Uint8Array): MapImage {
  const numbers = new Decimals(bytes, 2);
  const width = numbers.next('the width');
  const height = numbers.next('the height');
  const white = numbers.next('the value of white');
  checkSize(width, height);
  if (white < 1 || white > mostBrightness)
    throw new SceneError(`expected a value of white from 1 to ${mostBrightness}, got ${white}`);
  const count = width * height;
  const pixels =
    bytes[1] === 0x32
      ? textPixels(numbers, count, white)
      : binaryPixels(bytes.subarray(numbers.at + 1), count, white);
  const brightness = Float64Array.from({ length: white + 1 }, (_, value) => value / white);
  return { width, height, pixels, brightness };
}

function textPixels(numbers: Decimals, count: number, white: number): Uint16Array {
  const pixels = new Uint16Array(count);
  for (let pixel = 0; pixel < count; pixel++) {
    const value = numbers.next(`pixel ${pixel + 1} of ${count}`);
    if (value > white) throw brighterThanWhite(pixel, value, white);
    pixels[pixel] = value;
  }
  return pixels;
}

function binaryPixels(bytes: Uint8Array, count: number, white: number): Uint8Array | Uint16Array {
  const size = white > 255 ? 2 : 1;
  if (bytes.length < count * size)
    throw new SceneError(`expected ${count * size} bytes of pixels, got ${bytes.length}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const pixels =
    size === 1
      ? bytes.subarray(0, count)
      : Uint16Array.from({ length: count }, (_, pixel) => view.getUint16(2 * pixel));
  if (white < 255 || size === 2) {
    const pixel = pixels.findIndex((value) => value > white);
    if (pixel >= 0) throw brighterThanWhite(pixel, pixels[pixel] ?? 0, white);
  }
  return pixels;
}

function brighterThanWhite(pixel: number, value: number, white: number): SceneError {
  return new SceneError(`pixel ${pixel + 1}: expected at most ${white}, the value of white, got ${value}`);
}

/** Reads decimal numbers that stand between white space and comments. */
class Decimals {
  readonly #bytes: Uint8Array;
  /** Index of the byte after the last number. */
  at: number;

  constructor(bytes: Uint8Array, begin: number) {
    this.#bytes = bytes;
    this.at = begin;
  }

  /** @throws SceneError if there is no number of at most 9 digits */
  next(what: string): number {
    const bytes = this.#bytes;
    let at = this.at;
    while (isSpace(bytes[at]) || bytes[at] === hash) {
      if (bytes[at] === hash) while (at < bytes.length && bytes[at] !== lineFeed) at++;
      else at++;
    }
    const begin = at;
    let number = 0;
    for (; isDigit(bytes[at]) && at < begin + 9; at++) number = 10 * number + (bytes[at] ?? 0) - zero;
    if (at === begin || isDigit(bytes[at]))
      throw new SceneError(`expected ${what}, got ${found(bytes, begin)}`);
    this.at = at;
    return number;
  }
}

function found(bytes: Uint8Array, at: number): string {
  if (at >= bytes.length) return 'the end of the file';
  return `${JSON.stringify(String.fromCharCode(...bytes.subarray(at, at + 12)))} at byte ${at + 1}`;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte < zero + 10;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 32 || (byte !== undefined && byte >= 9 && byte <= 13);
}
