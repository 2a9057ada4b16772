import { inflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { SceneError } from '../file-problems.js';
import { checkSize } from './limits.js';
import type { MapFile } from './map-file.js';
import type { MapImage } from './occupied-cells.js';

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** True if a file begins like a PNG file. */
export function isPng(bytes: Uint8Array): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

/** Largest number of bytes of all pixels, decompressed. */
const mostBytes = 128 * 1024 * 1024;
/** Largest palette in bytes. */
const largestPalette = 3 * 256;

/**
 * Decodes a PNG file. Brightness is the mean of red, green and blue, and in mode `trinary` also of alpha, as in the map server
 * of ROS. In mode `scale`, cells of pixels that are not opaque are unknown. So are those of a colour that the file declares
 * transparent.
 * @throws SceneError
 */
export function decodePng(bytes: Buffer, mode: MapFile['mode']): MapImage {
  const { hasAlpha, hasTransparentColour } = checkedHead(bytes);
  const { width, height, data } = decoded(bytes);
  const averagesAlpha = mode === 'trinary' && hasAlpha && !hasTransparentColour;
  const white = averagesAlpha ? 4 * 255 : 3 * 255;
  const unknown = white + 1;
  const pixels = new Uint16Array(width * height);
  for (let pixel = 0; pixel < pixels.length; pixel++) {
    const at = 4 * pixel;
    const colours = (data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0);
    const alpha = data[at + 3] ?? 0;
    if (averagesAlpha) pixels[pixel] = colours + alpha;
    else pixels[pixel] = alpha < 255 && (mode === 'scale' || hasTransparentColour) ? unknown : colours;
  }
  const brightness = Float64Array.from({ length: white + 2 }, (_, value) =>
    value === unknown ? Number.NaN : value / white,
  );
  return { width, height, pixels, brightness };
}

function decoded(bytes: Buffer): PNG {
  try {
    return PNG.sync.read(bytes);
  } catch (error) {
    throw broken(error instanceof Error ? error.message : String(error));
  }
}

/** What the head of a PNG file says about transparency. */
interface Transparency {
  readonly hasAlpha: boolean;
  /** True if pixels of one colour are transparent. */
  readonly hasTransparentColour: boolean;
}

/** Samples of a pixel, by colour type. */
const samplesOf: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);

/**
 * Checks all that decides how much memory the decoder takes, before it takes any. The decoder itself also accepts pixels that are
 * cut off.
 * @throws SceneError
 */
function checkedHead(bytes: Buffer): Transparency {
  const chunks = [...chunksOf(bytes)];
  const head = chunks[0];
  if (head?.type !== 'IHDR' || head.data.length !== 13) throw broken('it has no head');
  const width = head.data.readUInt32BE(0);
  const height = head.data.readUInt32BE(4);
  const [depth = 0, colourType = 0, , , interlaced = 0] = head.data.subarray(8);
  checkSize(width, height);
  const bits = (samplesOf.get(colourType) ?? 0) * depth;
  const size = interlaced === 0 ? bytesOf(width, height, bits) : interlacedBytesOf(width, height, bits);
  if (size > mostBytes)
    throw new SceneError(`expected a picture of at most ${mostBytes} bytes without compression, got ${size}`);
  if (chunks.some(({ type, data }) => type === 'PLTE' && data.length > largestPalette))
    throw broken('it has more than 256 colours');
  if (chunks.filter(({ type }) => type === 'PLTE').length > 1) throw broken('it has two palettes');
  if (chunks.at(-1)?.type !== 'IEND') throw broken('the file ends too early');
  checkPixels(chunks, size);
  const isTransparent = chunks.some(({ type }) => type === 'tRNS');
  return {
    hasAlpha: isTransparent || (colourType & 4) !== 0,
    hasTransparentColour: isTransparent && colourType !== 3,
  };
}

/** Returns the bytes of rows of pixels. Each row begins with the number of its filter. */
function bytesOf(width: number, height: number, bits: number): number {
  return width === 0 ? 0 : (Math.ceil((width * bits) / 8) + 1) * height;
}

/** Begin and distance of columns and of rows, by pass of an interlaced picture (Adam7). */
const passes = [
  [0, 8, 0, 8],
  [4, 8, 0, 8],
  [0, 4, 4, 8],
  [2, 4, 0, 4],
  [0, 2, 2, 4],
  [1, 2, 0, 2],
  [0, 1, 1, 2],
] as const;

function interlacedBytesOf(width: number, height: number, bits: number): number {
  return passes.reduce((sum, [left, columns, top, rows]) => {
    const ofPass = (size: number, begin: number, distance: number) =>
      Math.max(0, Math.ceil((size - begin) / distance));
    return sum + bytesOf(ofPass(width, left, columns), ofPass(height, top, rows), bits);
  }, 0);
}

/** @throws SceneError unless the pixels are so many bytes */
function checkPixels(chunks: readonly Chunk[], size: number): void {
  const compressed = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data);
  const { length } = inflated(Buffer.concat(compressed), size);
  if (length < size) throw broken(`expected ${size} bytes of pixels, got ${length}`);
}

function inflated(compressed: Buffer, size: number): Buffer {
  try {
    return inflateSync(compressed, { maxOutputLength: Math.max(1, size) });
  } catch {
    throw broken('its pixels cannot be decompressed, or are more than its size says');
  }
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/** Returns the chunks of a file that are complete. */
function* chunksOf(bytes: Buffer): Generator<Chunk> {
  for (let at = signature.length; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const end = at + 8 + length;
    if (end + 4 > bytes.length) return;
    const type = bytes.toString('latin1', at + 4, at + 8);
    yield { type, data: bytes.subarray(at + 8, end) };
    if (type === 'IEND') return;
    at = end + 4;
  }
}

function broken(why: string): SceneError {
  return new SceneError(`not a PNG picture: ${why}`);
}
