import { hkdfSync } from 'node:crypto';
import type { Random } from '../interfaces/random.js';
import { sameSecret } from './password-hash.js';

/** Nonces of a batch: one call of HKDF for a single nonce would take nearly as long. */
const inBatch = 64;
const batchBytes = 15;
const proofBytes = 16;
const nonceBytes = batchBytes + 1 + proofBytes;
const opaqueBytes = 32;
/** Characters of a nonce, and of an opaque. */
const hexLength = 2 * nonceBytes;
/** Names the purpose of what HKDF derives from the key. */
const purpose = 'nonces';

/** Two texts of 64 lower-case hex characters. */
export interface Fresh {
  readonly nonce: string;
  readonly opaque: string;
}

/**
 * Makes nonces, each with its opaque. So that the scanner recognises its nonces without a list of old ones, half of a nonce is
 * a proof, which HKDF-SHA-256 (RFC 5869) derives from a key:
 *
 * | offset | bytes | what |
 * |---|---|---|
 * | 0 | 15 | random, the same in all nonces of a batch |
 * | 15 | 1 | index in the batch |
 * | 16 | 16 | the proof of this index: its part of what HKDF derives with the first 15 bytes as salt |
 */
export class Nonces {
  readonly #random: Random;
  readonly #key: Uint8Array;
  /** The nonces of the batch one after the other, and their opaques, in hex. */
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

  /** Was this nonce made with this key? */
  recognises(nonce: string): boolean {
    if (!/^[0-9a-f]{64}$/.test(nonce)) return false;
    const bytes = Buffer.from(nonce, 'hex');
    const index = bytes.readUInt8(batchBytes);
    if (index >= inBatch) return false;
    const proofs = this.#proofsOf(bytes.subarray(0, batchBytes));
    return sameSecret(bytes.subarray(batchBytes + 1), proofAt(proofs, index));
  }

  #begin(): void {
    const batch = this.#random.bytes(batchBytes);
    const proofs = this.#proofsOf(batch);
    const nonces = Buffer.alloc(inBatch * nonceBytes);
    for (let index = 0; index < inBatch; index++) {
      const at = index * nonceBytes;
      nonces.set(batch, at);
      nonces.writeUInt8(index, at + batchBytes);
      nonces.set(proofAt(proofs, index), at + batchBytes + 1);
    }
    this.#nonces = nonces.toString('hex');
    this.#opaques = Buffer.from(this.#random.bytes(inBatch * opaqueBytes)).toString('hex');
    this.#next = 0;
  }

  #proofsOf(batch: Uint8Array): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#key, batch, purpose, inBatch * proofBytes));
  }
}

function proofAt(proofs: Buffer, index: number): Buffer {
  return proofs.subarray(index * proofBytes, (index + 1) * proofBytes);
}
