import { Decompress } from 'fzstd';

/** Thrown for data that is not a frame of Zstandard, or does not have the size that was declared. */
export class ZstdError extends Error {
  override readonly name = 'ZstdError';
}

const magic = 0xfd2fb528;
/** Largest window in bytes, as the program `zstd` limits it. It is allocated before anything is decompressed. */
const largestWindow = 128 * 2 ** 20;
/** Bytes that are decompressed at a time. A block of a few bytes can become 128 KiB. */
const pieceBytes = 1024;

/**
 * Decompresses Zstandard.
 * @param size bytes that must result; the caller limits them
 * @throws ZstdError if the data is damaged, cut off, or has another size
 */
export function decompressZstd(packed: Uint8Array, size: number): Uint8Array {
  refuseHostileFrames(packed, size);
  const plain = new Uint8Array(size);
  let to = 0;
  const decompressor = new Decompress((piece) => {
    if (to + piece.length > size) throw new ZstdError(`expected ${size} bytes, got more`);
    plain.set(piece, to);
    to += piece.length;
  });
  try {
    for (let at = 0; at < packed.length; at += pieceBytes) {
      decompressor.push(packed.subarray(at, at + pieceBytes), at + pieceBytes >= packed.length);
    }
  } catch (error) {
    if (error instanceof ZstdError) throw error;
    throw new ZstdError(`Zstandard: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (to !== size) throw new ZstdError(`expected ${size} bytes, got ${to}`);
  return plain;
}

/** Bytes of the number of the dictionary, and of the size of the content, by their flags. */
const dictionaryBytes = [0, 1, 2, 4];
const contentBytes = [0, 2, 4, 8];
/** Kind of blocks that repeat one byte. */
const repeated = 1;

/**
 * Refuses what would take much memory or time before it is decompressed: a large window, a content of another size, and more
 * than one frame, since each has a window of its own.
 *
 * A frame: magic (u32), flags (u8), the exponent and the mantissa of the window (u8) unless bit 5 is set, the number of a
 * dictionary, the size of the content; then blocks: bit 0 of a u24 marks the last one, bits 1 and 2 are its kind, the others
 * its size; then a sum (u32) if bit 2 of the flags is set.
 */
function refuseHostileFrames(packed: Uint8Array, size: number): void {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  if (packed.length < 6 || view.getUint32(0, true) !== magic)
    throw new ZstdError('expected a frame of Zstandard');
  const flags = view.getUint8(4);
  const isSingleSegment = (flags & 0x20) !== 0;
  const descriptor = view.getUint8(5);
  const window = 2 ** (10 + (descriptor >> 3)) * (1 + (descriptor & 7) / 8);
  if (!isSingleSegment && window > largestWindow) {
    throw new ZstdError(`expected a window of up to ${largestWindow} bytes, got ${window}`);
  }
  let at = 5 + (isSingleSegment ? 0 : 1) + (dictionaryBytes[flags & 3] ?? 0);
  const sizeBytes = contentBytes[flags >> 6] ?? 0;
  if (isSingleSegment || sizeBytes > 0) {
    const stated = contentSize(view, at, sizeBytes);
    if (stated !== size) throw new ZstdError(`expected ${size} bytes, got ${stated}`);
    at += Math.max(1, sizeBytes);
  }
  for (let isLast = false; !isLast; ) {
    if (at + 3 > packed.length) throw new ZstdError('the frame of Zstandard is cut off');
    const head = view.getUint16(at, true) + view.getUint8(at + 2) * 65_536;
    isLast = (head & 1) !== 0;
    at += 3 + (((head >> 1) & 3) === repeated ? 1 : head >> 3);
  }
  at += flags & 4 ? 4 : 0;
  if (at !== packed.length)
    throw new ZstdError(`expected one frame of Zstandard of ${packed.length} bytes, got ${at}`);
}

/** Sizes of one byte are of frames without a window; to those of two bytes, 256 is added. */
function contentSize(view: DataView, at: number, bytes: number): number {
  if (at + Math.max(1, bytes) > view.byteLength) throw new ZstdError('the frame of Zstandard is cut off');
  switch (bytes) {
    case 2:
      return view.getUint16(at, true) + 256;
    case 4:
      return view.getUint32(at, true);
    case 8:
      return Number(view.getBigUint64(at, true));
    default:
      return view.getUint8(at);
  }
}
