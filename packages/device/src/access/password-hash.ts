import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * hash1 of the specification's login, as 32 bytes: SHA-256 of `user:realm:password`, a colon and the salt. Passwords
 * count as their character codes modulo 256, as clients of these devices take them.
 */
export function passwordHash(user: string, realm: string, password: string, salt: Uint8Array): Buffer {
  return createHash('sha256').update(`${user}:${realm}:${password}:`, 'latin1').update(salt).digest();
}

/** The password hash of the legacy protocol: the four little-endian words of the MD5 sum, XORed. */
export function legacyPasswordHash(password: string): number {
  const sum = createHash('md5').update(password, 'latin1').digest();
  return (sum.readUInt32LE(0) ^ sum.readUInt32LE(4) ^ sum.readUInt32LE(8) ^ sum.readUInt32LE(12)) >>> 0;
}

export function hmac(key: Uint8Array, content: Uint8Array | string): Buffer {
  return createHmac('sha256', key).update(content).digest();
}

/** Are two secrets the same? Takes as long whether they differ early, late or not at all. */
export function sameSecret(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The same for texts. */
export function sameText(a: string, b: string): boolean {
  return sameSecret(Buffer.from(a), Buffer.from(b));
}

/** What is kept of a legacy password. */
export function saltedLegacyHash(legacyHash: number, salt: Uint8Array): Uint8Array {
  return hmac(salt, String(legacyHash));
}
