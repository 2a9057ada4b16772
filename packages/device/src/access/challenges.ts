import { hkdfSync } from 'node:crypto';
import type { LoginLevel } from '@azimuth/model';
import type { Clock, Random } from '../interfaces/environment.js';
import { sameSecret } from './credentials.js';

const lifetimeMilliseconds = 60_000;
const mostPending = 64;

/** A pending challenge: issued, and not used yet. */
export interface PendingChallenge {
  readonly level: LoginLevel;
  readonly nonce: string;
  readonly opaque: string;
  /** Time of issue: ms of the monotonic clock. */
  readonly issued: number;
}

/**
 * The pending challenges. The device recognises its nonces. So it can distinguish two nonces without a challenge: one
 * that it has issued and forgotten (used, expired, replaced), and one that it has never issued.
 */
export class Challenges {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #nonces: Nonces;
  readonly #pending = new Map<string, PendingChallenge>();
  #level: LoginLevel | undefined;

  constructor(clock: Pick<Clock, 'monotonic'>, random: Random, key: Uint8Array) {
    this.#clock = clock;
    this.#nonces = new Nonces(random, key);
  }

  /** Issues a challenge for a level. It voids those of other levels. Of the same level, the newest 64 stay pending. */
  issue(level: LoginLevel): PendingChallenge {
    if (level !== this.#level) this.#pending.clear();
    this.#level = level;
    this.#makeRoom();
    const { nonce, opaque } = this.#nonces.next();
    const challenge = { level, nonce, opaque, issued: this.#clock.monotonic() };
    this.#pending.set(nonce, challenge);
    return challenge;
  }

  /** Number of pending challenges, including expired ones. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Removes and returns a pending challenge. Undefined if none with this nonce is pending and in time. */
  spend(nonce: string): PendingChallenge | undefined {
    const challenge = this.#pending.get(nonce);
    if (challenge === undefined) return undefined;
    this.#pending.delete(nonce);
    return this.#clock.monotonic() < challenge.issued + lifetimeMilliseconds ? challenge : undefined;
  }

  /** True if this device has issued the nonce at any time. */
  wasIssued(nonce: string): boolean {
    return this.#nonces.recognises(nonce);
  }

  /** Remembers the pending challenges, with what is left of their time. */
  remember(): () => void {
    const taken = this.#clock.monotonic();
    const pending = [...this.#pending.values()];
    const level = this.#level;
    return () => {
      const later = this.#clock.monotonic() - taken;
      this.#level = level;
      this.#pending.clear();
      for (const one of pending) this.#pending.set(one.nonce, { ...one, issued: one.issued + later });
    };
  }

  /** Voids all pending challenges. */
  clear(): void {
    this.#pending.clear();
  }

  #makeRoom(): void {
    if (this.#pending.size < mostPending) return;
    const [oldest] = this.#pending.keys();
    if (oldest !== undefined) this.#pending.delete(oldest);
  }
}

const unusedAllowed = 50;
const windowMilliseconds = 2000;
const refusalMilliseconds = 3000;

/**
 * Refuses challenges for 3 s after 50 unused ones within 2 s. A client that uses every challenge is never refused,
 * regardless of its speed.
 */
export class Flood {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Times of issue of the unused challenges, oldest first; never more than 50. */
  readonly #unused = new Map<string, number>();
  #refusedUntil = Number.NEGATIVE_INFINITY;
  #floods = 0;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  get refuses(): boolean {
    return this.#floods > 0 && this.#clock.monotonic() < this.#refusedUntil;
  }

  /** Number of times that it has begun to refuse since the process started. */
  get floods(): number {
    return this.#floods;
  }

  /** @param now ms of the monotonic clock, if it is known already */
  fetched(nonce: string, now = this.#clock.monotonic()): void {
    for (const [old, at] of this.#unused) {
      if (now - at <= windowMilliseconds) break;
      this.#unused.delete(old);
    }
    this.#unused.set(nonce, now);
    if (this.#unused.size < unusedAllowed) return;
    this.#unused.clear();
    this.#floods++;
    this.#refusedUntil = now + refusalMilliseconds;
  }

  used(nonce: string): void {
    this.#unused.delete(nonce);
  }

  /** Remembers the unused challenges, and what is left of a refusal. */
  remember(): () => void {
    const taken = this.#clock.monotonic();
    const unused = [...this.#unused];
    const refusedUntil = this.#refusedUntil;
    return () => {
      const later = this.#clock.monotonic() - taken;
      this.#unused.clear();
      for (const [nonce, at] of unused) this.#unused.set(nonce, at + later);
      this.#refusedUntil = refusedUntil + later;
    };
  }
}

/** Number of nonces in a batch: one call of HKDF for a single nonce would take nearly as long. */
const inBatch = 64;
const batchBytes = 15;
const proofBytes = 16;
const nonceBytes = batchBytes + 1 + proofBytes;
const opaqueBytes = 32;
/** Characters of a nonce, and of an opaque. */
const hexLength = 2 * nonceBytes;
/** Name of the purpose of the bytes that HKDF derives from the key. */
const purpose = 'nonces';

/** Two texts of 64 lower-case hex characters. */
export interface Fresh {
  readonly nonce: string;
  readonly opaque: string;
}

/**
 * Makes nonces, each with its opaque. Half of a nonce is a proof, which HKDF-SHA-256 (RFC 5869) derives from a key. So
 * the scanner recognises its nonces without a list of old ones.
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
