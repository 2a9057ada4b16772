import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { isObject } from '@azimuth/model';

/** The description of the bytes of a record. JSON. */
export type Header = Readonly<Record<string, unknown>>;

/** A record: its header, and the documents in it, one after the other. */
export interface JournalRecord {
  readonly header: Header;
  readonly bytes: Uint8Array;
}

/** Offset in the file of the bytes of a record. */
export type FileOffset = number;

/** Bytes of a damaged sector. It leaves one of the two headers of a record intact. */
const sector = 512;
/** Bytes of the check of a frame, and of a complete frame. */
const checkBytes = 8;
export const frameBytes = 30 + checkBytes;
/** Largest record. */
const longestRecord = 256 * 1024 * 1024;

/** Random bytes of a journal. A client that writes documents into it does not know them. */
export type Salt = Uint8Array;

/** The first bytes of a frame, which both kinds of frames share, and the bytes that tell them apart. */
export const magic = Buffer.from('\x89azj', 'latin1');
const kinds = { begin: Buffer.from('\r\nB\x1a', 'latin1'), end: Buffer.from('\r\nE\x1a', 'latin1') };
type Kind = keyof typeof kinds;

/**
 * The content of a frame. A frame is at the beginning and at the end of its record. Its check contains the salt of the
 * journal, so bytes of a document never look like a frame, no matter what a client has put into them:
 *
 * | offset | bytes | content (little endian) |
 * |---|---|---|
 * | 0 | 8 | 89 `azj` CR LF, `B` or `E`, 1a |
 * | 8 | 6 | offset of the record in the file: a frame at another offset is not valid |
 * | 14 | 4 | length of the header |
 * | 18 | 4 | length of the bytes |
 * | 22 | 4 | CRC-32 of the header |
 * | 26 | 4 | CRC-32 of the bytes, filled up |
 * | 30 | 8 | the first bytes of the SHA-256 of the salt and all fields above |
 *
 * A record is: frame, header, bytes, filled up with zeros to 512, header, frame.
 */
export interface Frame {
  readonly kind: Kind;
  readonly at: number;
  readonly headerLength: number;
  readonly length: number;
  readonly headerSum: number;
  readonly sum: number;
}

/** Returns the length of a complete record. */
export function recordLength({ headerLength, length }: Frame): number {
  return 2 * (frameBytes + headerLength) + filledLength(length);
}

/** Returns the offset of the bytes of a record. */
export function bytesOffsetOf({ at, headerLength }: Frame): FileOffset {
  return at + frameBytes + headerLength;
}

/**
 * Encodes a record that begins at `at`. Also returns the offset of its bytes in the file.
 * @throws RangeError if it is longer than the largest record
 */
export function encodeRecord(
  { header, bytes }: JournalRecord,
  at: number,
  salt: Salt,
): { readonly encoded: Buffer; readonly offset: FileOffset } {
  const json = Buffer.from(JSON.stringify(header));
  const filled = filledLength(bytes.length);
  const length = 2 * (frameBytes + json.length) + filled;
  if (length > longestRecord)
    throw new RangeError(`expected a record of at most ${longestRecord} bytes, got ${length}`);
  const record = Buffer.alloc(length);
  const offset = frameBytes + json.length;
  json.copy(record, frameBytes);
  record.set(bytes, offset);
  json.copy(record, offset + filled);
  const frame = {
    ...{ at, headerLength: json.length, length: bytes.length, headerSum: crc32(json) },
    sum: crc32(record.subarray(offset, offset + filled)),
  };
  encodeFrame({ kind: 'begin', ...frame }, salt).copy(record, 0);
  encodeFrame({ kind: 'end', ...frame }, salt).copy(record, record.length - frameBytes);
  return { encoded: record, offset: at + offset };
}

function encodeFrame({ kind, at, headerLength, length, headerSum, sum }: Frame, salt: Salt): Buffer {
  const frame = Buffer.alloc(frameBytes);
  magic.copy(frame);
  kinds[kind].copy(frame, magic.length);
  frame.writeUIntLE(at, 8, 6);
  frame.writeUInt32LE(headerLength, 14);
  frame.writeUInt32LE(length, 18);
  frame.writeUInt32LE(headerSum, 22);
  frame.writeUInt32LE(sum, 26);
  checkOf(frame, salt).copy(frame, 30);
  return frame;
}

function checkOf(frame: Buffer, salt: Salt): Buffer {
  return hash('sha256', Buffer.concat([salt, frame.subarray(0, 30)]), 'buffer').subarray(0, checkBytes);
}

/**
 * Decodes the frame in these bytes, which begin at `offset` of the file; undefined if there is none, or if it belongs to
 * another offset or another journal.
 */
export function decodeFrame(bytes: Buffer, offset: number, salt: Salt): Frame | undefined {
  if (bytes.length < frameBytes || !bytes.subarray(0, magic.length).equals(magic)) return undefined;
  if (!bytes.subarray(30, frameBytes).equals(checkOf(bytes, salt))) return undefined;
  const mark = bytes.subarray(magic.length, 8);
  const kind: Kind | undefined = mark.equals(kinds.begin)
    ? 'begin'
    : mark.equals(kinds.end)
      ? 'end'
      : undefined;
  if (kind === undefined) return undefined;
  const frame = {
    ...{ kind, at: bytes.readUIntLE(8, 6), headerLength: bytes.readUInt32LE(14) },
    ...{ length: bytes.readUInt32LE(18), headerSum: bytes.readUInt32LE(22), sum: bytes.readUInt32LE(26) },
  };
  const total = recordLength(frame);
  const isHere = offset === (kind === 'begin' ? frame.at : frame.at + total - frameBytes);
  return isHere && total <= longestRecord ? frame : undefined;
}

/** The readable parts of a record whose frame is known. */
interface Content {
  /** Undefined if both of its headers are damaged. */
  readonly header: Header | undefined;
  /** True if the bytes are as written. */
  readonly areBytesIntact: boolean;
  /** True if every byte of the record is as written. */
  readonly isIntact: boolean;
}

/** Decodes a complete record. */
export function decodeRecord(record: Buffer, frame: Frame, salt: Salt): Content {
  const { headerLength, headerSum, sum } = frame;
  const offset = frameBytes + headerLength;
  const secondAt = record.length - offset;
  const first = record.subarray(frameBytes, offset);
  const second = record.subarray(secondAt, secondAt + headerLength);
  const sound = [first, second].find((json) => crc32(json) === headerSum);
  const areBytesIntact = crc32(record.subarray(offset, secondAt)) === sum;
  const areFrames =
    record.subarray(0, frameBytes).equals(encodeFrame({ ...frame, kind: 'begin' }, salt)) &&
    record.subarray(secondAt + headerLength).equals(encodeFrame({ ...frame, kind: 'end' }, salt));
  return {
    header: sound === undefined ? undefined : headerIn(sound),
    areBytesIntact,
    isIntact: areBytesIntact && areFrames && sound === first && first.equals(second),
  };
}

/** Returns the number of these bytes that can be the beginning of a frame at this offset, torn by a power cut. */
export function tornFrame(bytes: Buffer, at: number): number {
  const begin = Buffer.alloc(14);
  magic.copy(begin);
  kinds.begin.copy(begin, magic.length);
  begin.writeUIntLE(at, 8, 6);
  const different = begin.findIndex((byte, index) => bytes[index] !== byte);
  return different < 0 ? Math.min(bytes.length, frameBytes - 1) : different;
}

function filledLength(length: number): number {
  return Math.max(sector, length);
}

function headerIn(json: Uint8Array): Header | undefined {
  try {
    const header: unknown = JSON.parse(Buffer.from(json).toString());
    return isObject(header) ? header : undefined;
  } catch {
    return undefined;
  }
}

const headMagic = Buffer.from('\x89azj\r\nH\x1a', 'latin1');
const saltBytes = 16;
const copyBytes = headMagic.length + saltBytes + 4;
/** Bytes between two copies, so that a damaged sector of 512 bytes leaves one of them. */
const gap = 512;

/** Bytes before the first record. */
export const headBytes = 2 * copyBytes + gap;

/**
 * Encodes the head of a journal. It has the salt of its frames twice, and zeros in between. Each copy is:
 *
 * | offset | bytes | content |
 * |---|---|---|
 * | 0 | 8 | 89 `azj` CR LF `H` 1a |
 * | 8 | 16 | the salt |
 * | 24 | 4 | CRC-32 of the fields above, little endian |
 */
export function encodeHead(salt: Salt): Buffer {
  const copy = Buffer.alloc(copyBytes);
  headMagic.copy(copy);
  copy.set(salt, headMagic.length);
  copy.writeUInt32LE(crc32(copy.subarray(0, -4)), copyBytes - 4);
  return Buffer.concat([copy, Buffer.alloc(gap), copy]);
}

export function newSalt(): Salt {
  return randomBytes(saltBytes);
}

/**
 * Decodes the salts of a head. There are none if both copies are damaged, and two if one is of another journal, because its
 * sector was not written.
 */
export function decodeHead(head: Buffer): readonly Salt[] {
  const copies = [head.subarray(0, copyBytes), head.subarray(copyBytes + gap, headBytes)];
  return copies
    .filter(areBytesIntact)
    .map((copy) => Buffer.from(copy.subarray(headMagic.length, headMagic.length + saltBytes)));
}

function areBytesIntact(copy: Buffer): boolean {
  return (
    copy.length === copyBytes &&
    copy.subarray(0, headMagic.length).equals(headMagic) &&
    copy.readUInt32LE(copyBytes - 4) === crc32(copy.subarray(0, -4))
  );
}
