import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { codeOf } from '@azimuth/device/documents';
import {
  bytesOffsetOf,
  decodeFrame,
  decodeHead,
  decodeRecord,
  encodeHead,
  type FileOffset,
  type Frame,
  frameBytes,
  type Header,
  headBytes,
  magic,
  recordLength,
  type Salt,
  tornFrame,
} from './journal-bytes.js';

/** A journal that this program cannot read. */
export class ForeignJournal extends Error {
  override readonly name = 'ForeignJournal';
}

/** A damaged part of a journal. */
export interface Damage {
  readonly from: number;
  readonly to: number;
  /** The header of the record; undefined if the records of this part are unknown. */
  readonly header: Header | undefined;
}

/** A record of the journal. */
export interface FoundRecord {
  readonly header: Header;
  /** Offset of its bytes. */
  readonly offset: FileOffset;
  /** True if its bytes are as written. Its header always is. */
  readonly areBytesIntact: boolean;
}

/** The content of a journal. */
export interface Scanned {
  /** Undefined if there is none, or if it cannot be read. Then nothing in the journal counts, and it begins anew. */
  readonly salt: Salt | undefined;
  /** The end of the valid part. Behind it is at most a record that a power cut has torn. */
  readonly end: number;
  readonly damages: readonly Damage[];
}

/** Bytes of a read, and bytes of a read after an error of the disk. */
const readAtOnce = 1024 * 1024;
const block = 4096;

/**
 * Reads a journal from its beginning to its end, past all damage.
 * @param each called with every record whose header is known, in their order
 * @throws ForeignJournal
 */
export async function scanJournal(
  file: FileHandle,
  path: string,
  each: (record: FoundRecord) => void,
): Promise<Scanned> {
  const { size } = await file.stat();
  const bytes = new FileBytes(file, size);
  if (await isOlderFormat(bytes))
    throw new ForeignJournal(
      `${path} was written by an older version of this program: move the folder away, and start the fleet anew`,
    );
  const head = await bytes.read(0, headBytes);
  // The head was on disk before the first record was written.
  if (size < headBytes || (size === headBytes && isZero(head)))
    return { salt: undefined, end: 0, damages: [] };
  const salt = await saltOf(bytes, decodeHead(head));
  if (salt === undefined) return { salt, end: size, damages: [{ from: 0, to: size, header: undefined }] };
  // The head contains no record.
  const areBytesIntact = head.equals(encodeHead(salt));
  const damages: Damage[] = areBytesIntact ? [] : [{ from: 0, to: headBytes, header: {} }];
  const end = await scanRecords(bytes, salt, damages, each);
  for (const { from, to } of bytes.unreadable)
    if (!damages.some((damage) => damage.from <= from && to <= damage.to))
      damages.push({ from, to, header: {} });
  return { salt, end, damages };
}

/** Returns the salt of a head for which there are frames. */
async function saltOf(bytes: FileBytes, salts: readonly Salt[]): Promise<Salt | undefined> {
  const [first, second] = salts;
  if (first === undefined || second === undefined) return first;
  return (await nextFrame(bytes, headBytes, first)) === undefined ? second : first;
}

/** @returns the end of the valid part */
async function scanRecords(
  bytes: FileBytes,
  salt: Salt,
  damages: Damage[],
  each: (record: FoundRecord) => void,
): Promise<number> {
  const { size } = bytes;
  for (let at = headBytes; at < size; ) {
    const frame = (await frameAt(bytes, at, salt)) ?? (await nextFrame(bytes, at, salt));
    if (frame === undefined) {
      // A torn record was never reported as stored.
      if (await isTorn(bytes, at)) return at;
      damages.push({ from: at, to: size, header: undefined });
      return size;
    }
    if (frame.at > at) damages.push({ from: at, to: frame.at, header: undefined });
    const to = frame.at + recordLength(frame);
    if (to > size) return frame.at;
    const { header, areBytesIntact, isIntact } = decodeRecord(await bytes.read(frame.at, to), frame, salt);
    if (!isIntact) damages.push({ from: frame.at, to, header });
    if (header !== undefined) each({ header, offset: bytesOffsetOf(frame), areBytesIntact });
    at = to;
  }
  return size;
}

async function frameAt(bytes: FileBytes, at: number, salt: Salt): Promise<Frame | undefined> {
  const frame = decodeFrame(await bytes.read(at, at + frameBytes), at, salt);
  return frame?.kind === 'begin' ? frame : undefined;
}

/** Finds the frame of the next record from here on: at its beginning, or if that is damaged, at its end. */
async function nextFrame(bytes: FileBytes, from: number, salt: Salt): Promise<Frame | undefined> {
  for (let at = from; at + frameBytes <= bytes.size; ) {
    const piece = await bytes.read(at, at + readAtOnce);
    for (let found = piece.indexOf(magic); found >= 0; found = piece.indexOf(magic, found + 1)) {
      const offset = at + found;
      const frame = decodeFrame(await bytes.read(offset, offset + frameBytes), offset, salt);
      if (frame !== undefined && frame.at >= from) return frame;
    }
    // A magic may lie across two pieces.
    at += Math.max(1, piece.length - magic.length + 1);
  }
  return undefined;
}

/** True if a power cut can have left this: the beginning of a frame or nothing of it, and zeros for the rest. */
async function isTorn(bytes: FileBytes, at: number): Promise<boolean> {
  const begun = tornFrame(await bytes.read(at, at + frameBytes), at);
  for (let from = at + begun; from < bytes.size; from += readAtOnce) {
    const piece = await bytes.read(from, from + readAtOnce);
    if (!isZero(piece)) return false;
  }
  return true;
}

function isZero(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0);
}

/** True for the older format: it began with length, CRC-32 of the rest, and length of the header of the first record. */
async function isOlderFormat(bytes: FileBytes): Promise<boolean> {
  const start = await bytes.read(0, 12);
  if (start.length < 12) return false;
  const end = 12 + start.readUInt32LE(0);
  if (end > bytes.size || start.readUInt32LE(8) > end) return false;
  return start.readUInt32LE(4) === crc32(await bytes.read(8, end));
}

/**
 * A file with a large piece in memory at a time. Bytes that the disk cannot read become zeros. This is damage, unless the
 * bytes were zeros.
 */
class FileBytes {
  readonly size: number;
  readonly #file: FileHandle;
  #from = 0;
  #piece = Buffer.alloc(0);
  /** Blocks that the disk cannot read, by their offsets. */
  readonly #unreadable = new Map<number, number>();
  #hasRead = false;

  constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.size = size;
  }

  get unreadable(): readonly { readonly from: number; readonly to: number }[] {
    return [...this.#unreadable].map(([from, to]) => ({ from, to }));
  }

  /** Reads bytes. The result is shorter at the end of the file. */
  async read(from: number, to: number): Promise<Buffer> {
    const end = Math.min(to, this.size);
    if (from < this.#from || end > this.#from + this.#piece.length) await this.#fetch(from, end);
    return this.#piece.subarray(from - this.#from, Math.max(0, end - this.#from));
  }

  async #fetch(from: number, end: number): Promise<void> {
    const length = Math.min(this.size - from, Math.max(end - from, readAtOnce));
    const piece = Buffer.alloc(Math.max(0, length));
    const filled = await this.#fill(piece, from).catch((error: unknown) => {
      if (codeOf(error) !== 'EIO') throw error;
      return this.#fillInBlocks(piece, from);
    });
    this.#from = from;
    this.#piece = piece.subarray(0, filled);
  }

  async #fill(piece: Buffer, from: number): Promise<number> {
    let filled = 0;
    while (filled < piece.length) {
      const { bytesRead } = await this.#file.read(piece, filled, piece.length - filled, from + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    if (filled > 0) this.#hasRead = true;
    return filled;
  }

  /** @throws the error of the disk if it could read nothing at all: the disk may be missing, and the journal may be intact */
  async #fillInBlocks(piece: Buffer, from: number): Promise<number> {
    let failure: unknown;
    for (let at = from; at < from + piece.length; ) {
      const to = Math.min(from + piece.length, at - (at % block) + block);
      const part = piece.subarray(at - from, to - from);
      try {
        await this.#fill(part, at);
      } catch (error) {
        if (codeOf(error) !== 'EIO') throw error;
        failure = error;
        part.fill(0);
        this.#unreadable.set(at, to);
      }
      at = to;
    }
    if (!this.#hasRead) throw failure;
    return piece.length;
  }
}
