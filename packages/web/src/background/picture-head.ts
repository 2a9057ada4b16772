import { PictureError } from './placing.js';

/** The kinds of pictures that are read. */
export type PictureKind = 'png' | 'jpeg' | 'pgm';

/** Largest file, and the most pixels of a picture. */
export const largestFile = 20 * 1024 * 1024;
const mostPixels = 40_000_000;
const longestSide = 16_384;

/** The kind of a picture and its size in pixels. */
export interface PictureHead {
  readonly kind: PictureKind;
  readonly width: number;
  readonly height: number;
}

/**
 * Reads kind and size of a picture from the beginning of its file, so that a huge picture is refused before it is
 * decoded.
 * @throws PictureError
 */
export function pictureHead(bytes: Uint8Array): PictureHead {
  if (bytes.length > largestFile) throw new PictureError('The file is larger than 20 MB.');
  const head = sizeOf(bytes);
  if (head === undefined) throw new PictureError('This is no picture: expected PNG, JPEG or PGM.');
  const { width, height } = head;
  if (width < 1 || height < 1) throw new PictureError('The picture has no pixels.');
  if (width > longestSide || height > longestSide || width * height > mostPixels) {
    throw new PictureError(
      `The picture is too large: ${width} × ${height} pixels, and at most 40 million fit.`,
    );
  }
  return head;
}

function sizeOf(bytes: Uint8Array): PictureHead | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length >= 24 && view.getUint32(0) === 0x89504e47) {
    return { kind: 'png', width: view.getUint32(16), height: view.getUint32(20) };
  }
  if (bytes.length >= 4 && view.getUint16(0) === 0xffd8) return sizeOfJpeg(view);
  const text = new TextDecoder().decode(bytes.subarray(0, 1024));
  const pgm = /^P[25]\s+(?:#[^\n]*\n\s*)*(\d{1,6})\s+(?:#[^\n]*\n\s*)*(\d{1,6})\s/.exec(text);
  if (pgm !== null) return { kind: 'pgm', width: Number(pgm[1]), height: Number(pgm[2]) };
  return undefined;
}

/** The size of a JPEG file stands in the first segment that begins a frame. */
function sizeOfJpeg(view: DataView): PictureHead | undefined {
  let at = 2;
  while (at + 9 <= view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { kind: 'jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/**
 * Decodes a PGM file, of bytes (`P5`, one or two a pixel) or of decimal numbers (`P2`).
 * @returns the brightness of each pixel, 0 to 255, row by row from the top
 * @throws PictureError
 */
export function pgmPixels(bytes: Uint8Array, { width, height }: PictureHead): Uint8Array {
  const head = /^P([25])\s+(?:#[^\n]*\n\s*)*\d+\s+(?:#[^\n]*\n\s*)*\d+\s+(?:#[^\n]*\n\s*)*(\d{1,5})\s/.exec(
    new TextDecoder('latin1').decode(bytes.subarray(0, 1024)),
  );
  const white = Number(head?.[2]);
  if (head === null || !(white >= 1 && white <= 65_535))
    throw new PictureError('The PGM file has a broken head.');
  const count = width * height;
  const content = bytes.subarray(head[0].length);
  const values = head[1] === '5' ? binaryValues(content, count, white) : textValues(content, count);
  return Uint8Array.from(values, (value) => Math.min(255, Math.round((value * 255) / white)));
}

function binaryValues(content: Uint8Array, count: number, white: number): ArrayLike<number> {
  const size = white > 255 ? 2 : 1;
  if (content.length < count * size) throw tooShort();
  if (size === 1) return content.subarray(0, count);
  const view = new DataView(content.buffer, content.byteOffset);
  return Uint16Array.from({ length: count }, (_, pixel) => view.getUint16(2 * pixel));
}

function textValues(content: Uint8Array, count: number): ArrayLike<number> {
  const values = new Uint16Array(count);
  let [pixel, value, isInside] = [0, 0, false];
  for (let at = 0; at <= content.length && pixel < count; at++) {
    const digit = (content[at] ?? 32) - 48;
    if (digit >= 0 && digit <= 9) {
      value = 10 * value + digit;
      isInside = true;
    } else if (isInside) {
      values[pixel++] = value;
      [value, isInside] = [0, false];
    }
  }
  if (pixel < count) throw tooShort();
  return values;
}

function tooShort(): PictureError {
  return new PictureError('The file ends before the last pixel.');
}
