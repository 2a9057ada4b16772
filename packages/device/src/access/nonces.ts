import { createCipheriv } from 'node:crypto';
import type { Random } from '../interfaces/environment.js';
import { sameSecret } from './credentials.js';

/** Number of nonces that are made at once: a call of the cipher for a single one would take nearly as long. */
const inBatch = 64;
/** Bytes of a block of AES: the random bytes of a nonce, and their proof. */
const blockBytes = 16;
const nonceBytes = 2 * blockBytes;
const opaqueBytes = 32;
/** Characters of a nonce, and of an opaque. */
const hexLength = 2 * nonceBytes;

/** Two texts of 64 lower-case hex characters. */
export interface Fresh {
  readonly nonce: string;
  readonly opaque: string;
}

/**
 * Makes nonces, each with its opaque. The second half of a nonce proves that this scanner made the first half. So it
 * recognises its nonces without a list of old ones.
 *
 * | offset | bytes | what |
 * |---|---|---|
 * | 0 | 16 | random |
 * | 16 | 16 | these bytes, encrypted as one block by AES-256 (FIPS 197) with the key of the scanner |
 */
export class Nonces {
  readonly #random: Random;
  readonly #key: Uint8Array;
  /** The nonces of the batch in order, and their opaques, in hex. */
  #nonces = '';
  #opaques = '';
  #next = inBatch;

  /** @param key 32 bytes */
  constructor(random: Random, key: Uint8Array) {
    this.#random = random;
    this.#key = key;
  }

  next(): Fresh {
    if (this.#next === inBatch) this.#begin();
    const start = this.#next++ * hexLength;
    const end = start + hexLength;
    return { nonce: this.#nonces.slice(start, end), opaque: this.#opaques.slice(start, end) };
  }

  /** True if this nonce was made with this key. */
  recognises(nonce: string): boolean {
    if (!/^[0-9a-f]{64}$/.test(nonce)) return false;
    const bytes = Buffer.from(nonce, 'hex');
    return sameSecret(bytes.subarray(blockBytes), this.#proofsOf(bytes.subarray(0, blockBytes)));
  }

  #begin(): void {
    const random = this.#random.bytes(inBatch * blockBytes);
    const proofs = this.#proofsOf(random);
    const nonces = Buffer.alloc(inBatch * nonceBytes);
    for (let at = 0; at < random.length; at += blockBytes) {
      nonces.set(random.subarray(at, at + blockBytes), 2 * at);
      nonces.set(proofs.subarray(at, at + blockBytes), 2 * at + blockBytes);
    }
    this.#nonces = nonces.toString('hex');
    this.#opaques = Buffer.from(this.#random.bytes(inBatch * opaqueBytes)).toString('hex');
    this.#next = 0;
  }

  /** Encrypts each block on its own, so the mode is ECB. Random blocks show no pattern. */
  #proofsOf(blocks: Uint8Array): Buffer {
    return createCipheriv('aes-256-ecb', this.#key, null).setAutoPadding(false).update(blocks);
  }
}
