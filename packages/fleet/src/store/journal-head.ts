import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Salt } from './journal-record.js';

const magic = Buffer.from('\x89azj\r\nH\x1a', 'latin1');
const saltBytes = 16;
const copyBytes = magic.length + saltBytes + 4;
/** Between two copies, so that a damaged sector of 512 bytes leaves one of them. */
const gap = 512;

/** Bytes before the first record. */
export const headBytes = 2 * copyBytes + gap;

/**
 * The head of a journal has the salt of its frames twice, and zeros in between. Each copy is:
 *
 * | offset | bytes | content |
 * |---|---|---|
 * | 0 | 8 | 89 `azj` CR LF `H` 1a |
 * | 8 | 16 | the salt |
 * | 24 | 4 | CRC-32 of what stands before, little endian |
 */
export function encodeHead(salt: Salt): Buffer {
  const copy = Buffer.alloc(copyBytes);
  magic.copy(copy);
  copy.set(salt, magic.length);
  copy.writeUInt32LE(crc32(copy.subarray(0, -4)), copyBytes - 4);
  return Buffer.concat([copy, Buffer.alloc(gap), copy]);
}

export function newSalt(): Salt {
  return randomBytes(saltBytes);
}

/** The salts in a head: none if both copies are damaged, two if one is of another journal, as of a sector that was not written. */
export function decodeHead(head: Buffer): readonly Salt[] {
  const copies = [head.subarray(0, copyBytes), head.subarray(copyBytes + gap, headBytes)];
  return copies
    .filter(isWhole)
    .map((copy) => Buffer.from(copy.subarray(magic.length, magic.length + saltBytes)));
}

function isWhole(copy: Buffer): boolean {
  return (
    copy.length === copyBytes &&
    copy.subarray(0, magic.length).equals(magic) &&
    copy.readUInt32LE(copyBytes - 4) === crc32(copy.subarray(0, -4))
  );
}
