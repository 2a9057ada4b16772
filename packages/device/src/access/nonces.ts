import { hkdfSync } from 'node:crypto';
import type { Random } from '../interfaces/random.js';
import { sameSecret } from './credential-store.js';

/** Nonces of a batch: one call of HKDF for a single nonce would take nearly as long. */
const inBatch = 64;
const batchBytes = 15;
const proofBytes = 16;
const opaqueBytes = 32;
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
  #batch: Uint8Array = new Uint8Array(batchBytes);
  #proofs: Buffer = Buffer.alloc(0);
  #opaques: Buffer = Buffer.alloc(0);
  #next = inBatch;

  /** @param key 32 bytes */
  constructor(random: Random, key: Uint8Array) {
    this.#random = random;
    this.#key = key;
  }

  next(): Fresh {
    if (this.#next === inBatch) this.#begin();
    const index = this.#next++;
    const nonce = Buffer.concat([this.#batch, Uint8Array.of(index), proofAt(this.#proofs, index)]);
    const opaque = this.#opaques.toString('hex', index * opaqueBytes, (index + 1) * opaqueBytes);
    return { nonce: nonce.toString('hex'), opaque };
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
    this.#batch = this.#random.bytes(batchBytes);
    this.#proofs = this.#proofsOf(this.#batch);
    this.#opaques = Buffer.from(this.#random.bytes(inBatch * opaqueBytes));
    this.#next = 0;
  }

  #proofsOf(batch: Uint8Array): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#key, batch, purpose, inBatch * proofBytes));
  }
}

function proofAt(proofs: Buffer, index: number): Buffer {
  return proofs.subarray(index * proofBytes, (index + 1) * proofBytes);
}
