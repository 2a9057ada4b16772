import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import {
  decodeFrame,
  decodeRecord,
  type Frame,
  frameBytes,
  type Header,
  magic,
  type Place,
  placeOf,
  recordLength,
  tornFrame,
} from './journal-record.js';

/** A journal that this program cannot read. */
export class ForeignJournal extends Error {
  override readonly name = 'ForeignJournal';
}

/** A part of a journal that is not as it was written. */
export interface Damage {
  readonly from: number;
  readonly to: number;
  /** What the record was; undefined if nobody can know which records stood there. */
  readonly header: Header | undefined;
}

/** A record that was found. */
export interface FoundRecord {
  readonly header: Header;
  /** Where its bytes stand. */
  readonly place: Place;
  /** Are its bytes as they were written? Its header always is. */
  readonly isWhole: boolean;
}

/** What is in a journal. */
export interface Scanned {
  /** The end of what counts: behind it is at most a record that a power cut has torn. */
  readonly end: number;
  readonly damages: readonly Damage[];
}

/** Bytes that are read at once. */
const readAtOnce = 1024 * 1024;

/**
 * Reads a journal from its beginning to its end, over all that is damaged.
 * @param each is called with every record whose header is known, in their order
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
  const damages: Damage[] = [];
  for (let at = 0; at < size; ) {
    const found = (await frameAt(bytes, at)) ?? (await nextFrame(bytes, at));
    if (found === undefined) {
      // Nobody was told that a torn record is on disk.
      if (await isTorn(bytes, at)) return { end: at, damages };
      damages.push({ from: at, to: size, header: undefined });
      return { end: size, damages };
    }
    if (found.at > at) damages.push({ from: at, to: found.at, header: undefined });
    const to = found.at + recordLength(found);
    if (to > size) return { end: found.at, damages };
    const { header, isWhole, isIntact } = decodeRecord(await bytes.read(found.at, to), found);
    if (!isIntact) damages.push({ from: found.at, to, header });
    if (header !== undefined) each({ header, place: placeOf(found), isWhole });
    at = to;
  }
  return { end: size, damages };
}

async function frameAt(bytes: FileBytes, at: number): Promise<Frame | undefined> {
  const frame = decodeFrame(await bytes.read(at, at + frameBytes), at);
  return frame?.kind === 'begin' ? frame : undefined;
}

/** The frame of the next record from here on: at its beginning, or if that is damaged, at its end. */
async function nextFrame(bytes: FileBytes, from: number): Promise<Frame | undefined> {
  for (let at = from; at + frameBytes <= bytes.size; ) {
    const piece = await bytes.read(at, at + readAtOnce);
    for (let found = piece.indexOf(magic); found >= 0; found = piece.indexOf(magic, found + 1)) {
      const offset = at + found;
      const frame = decodeFrame(await bytes.read(offset, offset + frameBytes), offset);
      if (frame !== undefined && frame.at >= from) return frame;
    }
    // A magic may stand across two pieces.
    at += Math.max(1, piece.length - magic.length + 1);
  }
  return undefined;
}

/** Is this what a power cut leaves: the beginning of a frame or nothing of it, and zeros where the rest would have come? */
async function isTorn(bytes: FileBytes, at: number): Promise<boolean> {
  const begun = tornFrame(await bytes.read(at, at + frameBytes), at);
  for (let from = at + begun; from < bytes.size; from += readAtOnce) {
    const piece = await bytes.read(from, from + readAtOnce);
    if (piece.some((byte) => byte !== 0)) return false;
  }
  return true;
}

/** Journals began with length, CRC-32 of the rest, and length of the header of their first record. */
async function isOlderFormat(bytes: FileBytes): Promise<boolean> {
  const start = await bytes.read(0, 12);
  if (start.length < 12) return false;
  const end = 12 + start.readUInt32LE(0);
  if (end > bytes.size || start.readUInt32LE(8) > end) return false;
  return start.readUInt32LE(4) === crc32(await bytes.read(8, end));
}

/** A file of which a large piece is in memory at a time. */
class FileBytes {
  readonly size: number;
  readonly #file: FileHandle;
  #from = 0;
  #piece = Buffer.alloc(0);

  constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.size = size;
  }

  /** What is there of these bytes: fewer at the end of the file. */
  async read(from: number, to: number): Promise<Buffer> {
    const end = Math.min(to, this.size);
    if (from < this.#from || end > this.#from + this.#piece.length) await this.#fetch(from, end);
    return this.#piece.subarray(from - this.#from, Math.max(0, end - this.#from));
  }

  async #fetch(from: number, end: number): Promise<void> {
    const length = Math.min(this.size - from, Math.max(end - from, readAtOnce));
    const piece = Buffer.alloc(Math.max(0, length));
    let filled = 0;
    while (filled < piece.length) {
      const { bytesRead } = await this.#file.read(piece, filled, piece.length - filled, from + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    this.#from = from;
    this.#piece = piece.subarray(0, filled);
  }
}
