import { createCipheriv, createDecipheriv, scrypt } from 'node:crypto';
import { Mutex } from '@azimuth/async';
import type { Random } from '../interfaces/random.js';
import { RestoreRefused } from './backup-file.js';

/** The first eight ASCII characters of an encrypted backup; no JSON begins with them. */
const beginning = 'AZBACKUP';
const magic = Buffer.from(beginning, 'latin1');
const version = 1;

/** Bytes: magic, version and length of the ciphertext (both uint32, big-endian), salt, initialisation vector. */
const versionAt = 8;
const lengthAt = 12;
const saltAt = 16;
const saltLength = 16;
const ivAt = saltAt + saltLength;
const ivLength = 12;
const headerLength = ivAt + ivLength;
const tagLength = 16;
const cipher = 'aes-256-gcm';

/** Does a file begin as an encrypted backup does? */
export function isContainer(bytes: Uint8Array): boolean {
  return magic.equals(bytes.subarray(0, magic.length));
}

/** Encrypts with a passphrase. The header is not encrypted, but authenticated. */
export async function encrypted(plain: Uint8Array, passphrase: string, random: Random): Promise<Buffer> {
  const header = Buffer.alloc(headerLength);
  header.set(magic);
  header.writeUInt32BE(version, versionAt);
  header.writeUInt32BE(plain.length, lengthAt);
  header.set(random.bytes(saltLength), saltAt);
  header.set(random.bytes(ivLength), ivAt);
  const key = await keyOf(passphrase, header.subarray(saltAt, ivAt));
  const gcm = createCipheriv(cipher, key, header.subarray(ivAt), { authTagLength: tagLength }).setAAD(header);
  return Buffer.concat([header, gcm.update(plain), gcm.final(), gcm.getAuthTag()]);
}

/**
 * Decrypts a backup.
 * @throws RestoreRefused DecryptionHeaderError if it is not an encrypted backup or has another version;
 * DecryptionLengthError if it is too short or too long; DecryptionError if the passphrase is wrong or the file was
 * altered.
 */
export async function decrypted(container: Uint8Array, passphrase: string): Promise<Buffer> {
  const bytes = Buffer.from(container.buffer, container.byteOffset, container.byteLength);
  const length = plainLengthOf(bytes);
  const header = bytes.subarray(0, headerLength);
  const key = await keyOf(passphrase, header.subarray(saltAt, ivAt));
  const gcm = createDecipheriv(cipher, key, header.subarray(ivAt), { authTagLength: tagLength });
  gcm.setAAD(header).setAuthTag(bytes.subarray(headerLength + length));
  try {
    return Buffer.concat([gcm.update(bytes.subarray(headerLength, headerLength + length)), gcm.final()]);
  } catch {
    throw new RestoreRefused('DecryptionError', 'wrong passphrase, or the file was changed');
  }
}

function plainLengthOf(bytes: Buffer): number {
  if (!isContainer(bytes)) {
    throw new RestoreRefused(
      'DecryptionHeaderError',
      `a passphrase was given, but the file is not an encrypted backup: expected ${beginning} at byte 0`,
    );
  }
  const shortest = headerLength + tagLength;
  if (bytes.length < shortest) {
    throw new RestoreRefused(
      'DecryptionLengthError',
      `expected at least ${shortest} bytes, got ${bytes.length}`,
    );
  }
  const found = bytes.readUInt32BE(versionAt);
  if (found !== version) {
    throw new RestoreRefused(
      'DecryptionHeaderError',
      `expected container version ${version} at byte ${versionAt}, got ${found}`,
    );
  }
  const length = bytes.readUInt32BE(lengthAt);
  if (bytes.length !== shortest + length) {
    throw new RestoreRefused(
      'DecryptionLengthError',
      `expected ${shortest + length} bytes, as byte ${lengthAt} says, got ${bytes.length}`,
    );
  }
  return length;
}

/** Cost N, block size r and parallelization p of scrypt: about 90 ms and 32 MiB. */
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
/** In bytes. */
const keyLength = 32;

/** Keys are derived one after the other, because each needs memory and a thread. */
const deriving = new Mutex();

/** Derives the key of a passphrase (in UTF-8) and a salt of 16 bytes, in another thread. */
export function keyOf(passphrase: string, salt: Uint8Array): Promise<Buffer> {
  return deriving.run(() => make(passphrase, salt));
}

function make(passphrase: string, salt: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase, salt, keyLength, cost, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
