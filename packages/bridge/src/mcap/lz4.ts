/** Thrown for data that is not a frame of LZ4, or does not have the size that was declared. */
export class Lz4Error extends Error {
  override readonly name = 'Lz4Error';
}

/** Begin of a frame, little-endian. */
const magic = 0x184d2204;
/** Frames that contain no data begin with one of 16 numbers from this one on. */
const skippable = 0x184d2a50;

/** Flags of a frame: version 1 in the upper two bits. */
const flag = {
  versions: 0xc0,
  version: 0x40,
  independent: 0x20,
  blockSums: 0x10,
  size: 0x08,
  sum: 0x04,
  dictionary: 0x01,
};

/**
 * The beginning of all frames that are written: version 1, blocks that are independent and have up to 64 KiB, no sums (a chunk
 * of MCAP has its own). The last byte is a check of the two bytes in front of it.
 */
const frameHead = Uint8Array.of(0x04, 0x22, 0x4d, 0x18, flag.version | flag.independent, 0x40, 0x82);
const blockBytes = 64 * 2 ** 10;
/** Bit in the size of a block that is stored without compression. */
const isStored = 0x80000000;

const leastMatch = 4;
/** Bytes at the end of a block that are no part of a match. */
const lastLiterals = 5;
/** Bytes at the end of a block within which no match begins. */
const lastMatchBefore = 12;
const farthestMatch = 65_535;
const hashBits = 14;

/** Compresses bytes to a frame of LZ4. */
export function compressLz4(plain: Uint8Array): Uint8Array {
  return new Lz4Frame().end(plain);
}

/**
 * A frame of LZ4 whose blocks are compressed as their bytes come. A block takes 1 ms; 1 MiB at once would hold up the program
 * for 20 ms.
 */
export class Lz4Frame {
  #parts: Uint8Array[] = [frameHead];
  #from = 0;

  /** Compresses the blocks that are complete. @param plain all bytes of the frame so far */
  grow(plain: Uint8Array): void {
    for (; plain.length - this.#from >= blockBytes; this.#from += blockBytes)
      this.#parts.push(...packedBlock(plain.subarray(this.#from, this.#from + blockBytes)));
  }

  /** Compresses the rest. Returns the frame; the next bytes begin a new one. @param plain all bytes of the frame */
  end(plain: Uint8Array): Uint8Array {
    this.grow(plain);
    if (plain.length > this.#from) this.#parts.push(...packedBlock(plain.subarray(this.#from)));
    // A size of 0 ends the blocks.
    const frame = Buffer.concat([...this.#parts, new Uint8Array(4)]);
    this.#parts = [frameHead];
    this.#from = 0;
    return frame;
  }
}

/** Returns the size of a block as it is written, and the block: compressed, or as it is if that is not larger. */
function packedBlock(block: Uint8Array): readonly [Uint8Array, Uint8Array] {
  const packed = new Uint8Array(block.length);
  const bytes = compressBlock(block, packed);
  const size = new Uint8Array(4);
  new DataView(size.buffer).setUint32(0, bytes === 0 ? (block.length | isStored) >>> 0 : bytes, true);
  return [size, bytes === 0 ? block.slice() : packed.subarray(0, bytes)];
}

/** The last place of each hash in a block. Blocks are compressed one after the other. */
const seen = new Int32Array(1 << hashBits);

/** Compresses a block. Returns its size; 0 if it would not become smaller. */
function compressBlock(plain: Uint8Array, into: Uint8Array): number {
  const view = new DataView(plain.buffer, plain.byteOffset, plain.length);
  seen.fill(-1);
  let to = 0;
  let literals = 0;
  for (let at = 0, misses = 0; at < plain.length - lastMatchBefore; ) {
    const word = view.getUint32(at, true);
    const hash = Math.imul(word, 0x9e3779b1) >>> (32 - hashBits);
    const candidate = seen[hash] ?? -1;
    seen[hash] = at;
    if (candidate < 0 || at - candidate > farthestMatch || view.getUint32(candidate, true) !== word) {
      // Data without matches is passed in growing steps.
      at += 1 + (misses++ >> 6);
      continue;
    }
    let length = leastMatch;
    while (at + length < plain.length - lastLiterals && plain[candidate + length] === plain[at + length])
      length++;
    const room = at - literals + length / 255 + (at - literals) / 255 + 8;
    if (to + room > into.length) return 0;
    to = writeSequence(into, to, plain.subarray(literals, at), at - candidate, length);
    at += length;
    literals = at;
    misses = 0;
  }
  const rest = plain.subarray(literals);
  if (to + rest.length + rest.length / 255 + 2 > into.length) return 0;
  return writeSequence(into, to, rest, 0, leastMatch);
}

/** Writes literals and the match behind them; only the literals if the offset is 0. Returns the offset of the next one. */
function writeSequence(
  into: Uint8Array,
  start: number,
  literals: Uint8Array,
  offset: number,
  length: number,
): number {
  let to = start + 1;
  const extra = length - leastMatch;
  into[start] = (Math.min(literals.length, 15) << 4) | Math.min(extra, 15);
  to = writeLength(into, to, literals.length);
  if (literals.length > 32) into.set(literals, to);
  // A call costs more than a few bytes.
  else for (let index = 0; index < literals.length; index++) into[to + index] = literals[index] ?? 0;
  to += literals.length;
  if (offset === 0) return to;
  into[to++] = offset & 0xff;
  into[to++] = offset >> 8;
  return writeLength(into, to, extra);
}

/** Writes what a length has above the 15 of its token. */
function writeLength(into: Uint8Array, start: number, length: number): number {
  let to = start;
  if (length < 15) return to;
  let left = length - 15;
  for (; left >= 255; left -= 255) into[to++] = 255;
  into[to++] = left;
  return to;
}

/**
 * Decompresses frames of LZ4.
 * @param size bytes that must result; the caller limits them
 * @throws Lz4Error if the data is damaged, cut off, or has another size
 */
export function decompressLz4(packed: Uint8Array, size: number): Uint8Array {
  const plain = new Uint8Array(size);
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  let to = 0;
  for (let at = 0; at < packed.length; ) {
    const begin = u32(view, at);
    if (begin >= skippable && begin < skippable + 16) {
      at += 8 + u32(view, at + 4);
      continue;
    }
    if (begin !== magic) throw new Lz4Error(`expected a frame of LZ4, got ${begin.toString(16)}`);
    [at, to] = decompressFrame(view, at, plain, to);
  }
  if (to !== size) throw new Lz4Error(`expected ${size} bytes, got ${to}`);
  return plain;
}

/** Returns the offsets behind the frame, in both arrays. */
function decompressFrame(view: DataView, start: number, plain: Uint8Array, from: number): [number, number] {
  const flags = u32(view, start + 4) & 0xff;
  if ((flags & flag.versions) !== flag.version) throw new Lz4Error('expected version 1 of frames of LZ4');
  if (flags & flag.dictionary) throw new Lz4Error('expected a frame of LZ4 without a dictionary');
  let at = start + 7 + (flags & flag.size ? 8 : 0);
  let to = from;
  for (;;) {
    const head = u32(view, at);
    at += 4;
    if (head === 0) return [at + (flags & flag.sum ? 4 : 0), to];
    const length = head & ~isStored;
    if (at + length > view.byteLength) throw new Lz4Error('the frame of LZ4 is cut off');
    const block = new Uint8Array(view.buffer, view.byteOffset + at, length);
    if (head & isStored) {
      if (to + length > plain.length) throw tooLong(plain);
      plain.set(block, to);
      to += length;
    } else {
      to = decompressBlock(block, plain, to);
    }
    at += length + (flags & flag.blockSums ? 4 : 0);
  }
}

function decompressBlock(block: Uint8Array, plain: Uint8Array, from: number): number {
  let to = from;
  let at = 0;
  const lengthOf = (nibble: number) => {
    let length = nibble;
    for (let more = nibble === 15 ? 255 : 0; more === 255; length += more) {
      if (at >= block.length) throw new Lz4Error('a block of LZ4 is cut off');
      more = block[at++] ?? 0;
    }
    return length;
  };
  while (at < block.length) {
    const token = block[at++] ?? 0;
    const literals = lengthOf(token >> 4);
    if (at + literals > block.length) throw new Lz4Error('a block of LZ4 is cut off');
    if (to + literals > plain.length) throw tooLong(plain);
    plain.set(block.subarray(at, at + literals), to);
    at += literals;
    to += literals;
    if (at >= block.length) break;
    const offset = (block[at] ?? 0) | ((block[at + 1] ?? 0) << 8);
    at += 2;
    const length = lengthOf(token & 15) + leastMatch;
    if (offset === 0 || offset > to) throw new Lz4Error('a block of LZ4 refers to bytes in front of it');
    if (to + length > plain.length) throw tooLong(plain);
    // A match may overlap what it writes.
    if (offset >= length) plain.copyWithin(to, to - offset, to - offset + length);
    else for (let index = 0; index < length; index++) plain[to + index] = plain[to + index - offset] ?? 0;
    to += length;
  }
  return to;
}

function u32(view: DataView, at: number): number {
  if (at + 4 > view.byteLength) throw new Lz4Error('the frame of LZ4 is cut off');
  return view.getUint32(at, true);
}

function tooLong({ length }: Uint8Array): Lz4Error {
  return new Lz4Error(`expected ${length} bytes, got more`);
}
