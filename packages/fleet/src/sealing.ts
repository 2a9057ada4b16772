import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { assertLong, type DeploymentKeys } from './deployment-keys.js';

/** The first byte of sealed content: the format. */
const format = 1;
const nonceBytes = 12;
const tagBytes = 16;
const head = 1 + nonceBytes + tagBytes;

/**
 * A secret document was sealed with another key, or was changed. It is not changed now: with the right key it may be opened.
 */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';

  constructor(serial: string, name: string) {
    super(
      `${name} of the scanner ${serial} cannot be opened with this key of the deployment: it was sealed with another one, or changed`,
    );
  }
}

/**
 * Seals secret documents (password hashes, private keys, backups) with the first key of the deployment, so that rows, dumps
 * and copies of the database never contain them as plain text: AES-256-GCM, bound to the scanner and to the name. Layout:
 * format (1 byte, 1), nonce (12), tag (16), content.
 */
export class Sealing {
  readonly #first: Buffer;
  readonly #others: readonly Buffer[];

  /** @throws RangeError if a key is too short */
  constructor(keys: DeploymentKeys) {
    assertLong(keys);
    const [first, ...others] = keys;
    this.#first = derived(first);
    this.#others = others.map(derived);
  }

  seal(serial: string, name: string, content: Uint8Array): Buffer {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#first, nonce).setAAD(boundTo(serial, name));
    const sealed = Buffer.concat([cipher.update(content), cipher.final()]);
    return Buffer.concat([Buffer.of(format), nonce, cipher.getAuthTag(), sealed]);
  }

  /** @throws SealBroken if none of the keys opens it */
  open(serial: string, name: string, sealed: Buffer): Buffer {
    for (const key of [this.#first, ...this.#others]) {
      const opened = openedWith(key, serial, name, sealed);
      if (opened !== undefined) return opened;
    }
    throw new SealBroken(serial, name);
  }

  /**
   * Seals content again with the first key.
   * @returns undefined if it is sealed with this key already
   * @throws SealBroken if none of the keys opens it
   */
  reseal(serial: string, name: string, sealed: Buffer): Buffer | undefined {
    if (openedWith(this.#first, serial, name, sealed) !== undefined) return undefined;
    return this.seal(serial, name, this.open(serial, name, sealed));
  }
}

function derived(key: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', 'azimuth secret documents', 32));
}

/** Opens content; undefined if it was sealed with another key, or was changed. */
function openedWith(key: Buffer, serial: string, name: string, sealed: Buffer): Buffer | undefined {
  if (sealed.length < head || sealed[0] !== format) return undefined;
  const nonce = sealed.subarray(1, 1 + nonceBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
    .setAAD(boundTo(serial, name))
    .setAuthTag(sealed.subarray(1 + nonceBytes, head));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(head)), decipher.final()]);
  } catch {
    return undefined;
  }
}

function boundTo(serial: string, name: string): Buffer {
  return Buffer.from(JSON.stringify([serial, name]));
}
