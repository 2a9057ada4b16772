import type { Random } from '../interfaces/random.js';
import { blockBytes, Cmac } from './cmac.js';
import { sameSecret } from './credential-store.js';

/** Made at once, because one call of AES for a single nonce takes nearly as long. */
const atOnce = 64;
const opaqueBytes = 32;
const nonceBytes = 2 * blockBytes;
const bytesTogether = nonceBytes + opaqueBytes;

/** Two texts of 64 lower-case hex characters. */
export interface Fresh {
  readonly nonce: string;
  readonly opaque: string;
}

/**
 * Makes nonces, each with its opaque. The first half of a nonce is random. The second half is the MAC of the first: so the
 * scanner recognises its nonces, and no list of old ones is needed.
 */
export class Nonces {
  readonly #random: Random;
  readonly #mac: Cmac;
  readonly #made = Buffer.alloc(atOnce * bytesTogether);
  #used = this.#made.length;

  /** @param key 32 bytes */
  constructor(random: Random, key: Uint8Array) {
    this.#random = random;
    this.#mac = new Cmac(key);
  }

  next(): Fresh {
    if (this.#used === this.#made.length) this.#make();
    const end = this.#used + bytesTogether;
    const hex = this.#made.toString('hex', this.#used, end);
    this.#made.fill(0, this.#used, end);
    this.#used = end;
    return { nonce: hex.slice(0, 2 * nonceBytes), opaque: hex.slice(2 * nonceBytes) };
  }

  /** Was this nonce made with this key? */
  recognises(nonce: string): boolean {
    if (!/^[0-9a-f]{64}$/.test(nonce)) return false;
    const bytes = Buffer.from(nonce, 'hex');
    return sameSecret(bytes.subarray(blockBytes), this.#mac.of(bytes.subarray(0, blockBytes)));
  }

  #make(): void {
    const firstHalves = this.#random.bytes(atOnce * blockBytes);
    const macs = this.#mac.of(firstHalves);
    const opaques = this.#random.bytes(atOnce * opaqueBytes);
    for (let index = 0; index < atOnce; index++) {
      const at = index * bytesTogether;
      this.#made.set(piece(firstHalves, index, blockBytes), at);
      this.#made.set(piece(macs, index, blockBytes), at + blockBytes);
      this.#made.set(piece(opaques, index, opaqueBytes), at + nonceBytes);
    }
    this.#used = 0;
  }
}

function piece(bytes: Uint8Array, index: number, size: number): Uint8Array {
  return bytes.subarray(index * size, (index + 1) * size);
}
