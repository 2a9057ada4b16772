import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { StorageAway } from '@azimuth/device';

/** The first byte of what is sealed: the format. */
const format = 1;
const nonceBytes = 12;
const tagBytes = 16;
const head = 1 + nonceBytes + tagBytes;
/** A key that somebody can guess protects nothing. */
const shortestKey = 16;

/** A secret document was sealed with another key, or was changed. */
export class SealBroken extends StorageAway {
  override readonly name = 'SealBroken';

  constructor(serial: string, name: string) {
    super(
      `${name} of the scanner ${serial} cannot be opened with this key of the deployment: it was sealed with another one, or changed`,
      'a secret document cannot be opened; the log of the scanner says why',
    );
  }
}

/**
 * Seals secret documents (password hashes, private keys, backups) with the key of the deployment, so that rows, dumps and
 * copies of the database have none of them in the clear: AES-256-GCM, bound to the scanner and to the name. Layout: format (1
 * byte, 1), nonce (12), tag (16), content.
 */
export class Sealing {
  readonly #key: Buffer;

  /** @throws RangeError if the key is shorter than 16 bytes */
  constructor(deploymentKey: string | Uint8Array) {
    const secret = Buffer.from(deploymentKey);
    if (secret.length < shortestKey)
      throw new RangeError(
        `the key of the deployment must have ${shortestKey} bytes or more; this one has ${secret.length}`,
      );
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', 'azimuth secret documents', 32));
  }

  seal(serial: string, name: string, content: Uint8Array): Buffer {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(boundTo(serial, name));
    const sealed = Buffer.concat([cipher.update(content), cipher.final()]);
    return Buffer.concat([Buffer.of(format), nonce, cipher.getAuthTag(), sealed]);
  }

  /** @throws SealBroken */
  open(serial: string, name: string, sealed: Buffer): Buffer {
    try {
      if (sealed.length < head || sealed[0] !== format) throw new Error('another format');
      const nonce = sealed.subarray(1, 1 + nonceBytes);
      const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: tagBytes })
        .setAAD(boundTo(serial, name))
        .setAuthTag(sealed.subarray(1 + nonceBytes, head));
      return Buffer.concat([decipher.update(sealed.subarray(head)), decipher.final()]);
    } catch {
      throw new SealBroken(serial, name);
    }
  }
}

function boundTo(serial: string, name: string): Buffer {
  return Buffer.from(JSON.stringify([serial, name]));
}
