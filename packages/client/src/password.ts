import { md5 } from '@noble/hashes/legacy.js';

/**
 * The bytes that a text is hashed as: its character codes (UTF-16 units) modulo 256, so Latin-1 and not UTF-8,
 * as devices take it.
 */
export function characterBytes(text: string): Uint8Array {
  return Uint8Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
}

/**
 * The number that stands for a password of the legacy protocol (`udiNewPassword` of SetPassword): the MD5 sum of
 * its bytes as four little-endian uint32, XORed. A uint32.
 */
export function legacyPasswordHash(password: string): number {
  const sum = md5(characterBytes(password));
  const words = new DataView(sum.buffer, sum.byteOffset, sum.byteLength);
  let hash = 0;
  for (let offset = 0; offset < sum.length; offset += 4) hash ^= words.getUint32(offset, true);
  return hash >>> 0;
}
