import type { LoginLevel } from '@azimuth/model';
import type { Clock } from '../interfaces/clock.js';
import type { Random } from '../interfaces/random.js';
import { hmac, sameText } from './hashes.js';

const lifetimeMilliseconds = 60_000;
const mostPending = 64;
/** In bytes. */
const randomPart = 16;
const opaqueLength = 32;

/** A challenge that waits for its POST. */
export interface PendingChallenge {
  readonly level: LoginLevel;
  readonly nonce: string;
  readonly opaque: string;
  readonly expires: number;
}

/**
 * The challenges that were handed out. A nonce carries a mark of this device, so that one it issued and forgot
 * (spent, expired, pushed out) is told from one it never issued, without remembering any.
 */
export class Challenges {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #key: Uint8Array;
  readonly #pending = new Map<string, PendingChallenge>();
  #level: LoginLevel | undefined;

  constructor(clock: Clock, random: Random, key: Uint8Array) {
    this.#clock = clock;
    this.#random = random;
    this.#key = key;
  }

  /** A new challenge for a level. Those of another level are void from here on; of the same, 64 may be pending. */
  issue(level: LoginLevel): PendingChallenge {
    if (level !== this.#level) this.#pending.clear();
    this.#level = level;
    this.#makeRoom();
    const random = hex(this.#random.bytes(randomPart + opaqueLength));
    const first = random.slice(0, 2 * randomPart);
    const challenge = {
      level,
      nonce: first + this.#mark(first),
      opaque: random.slice(2 * randomPart),
      expires: this.#clock.monotonic() + lifetimeMilliseconds,
    };
    this.#pending.set(challenge.nonce, challenge);
    return challenge;
  }

  /** How many wait for their POST, expired ones included. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Takes a pending challenge: it is spent, whatever comes of it. Undefined where none with this nonce is alive. */
  spend(nonce: string): PendingChallenge | undefined {
    const challenge = this.#pending.get(nonce);
    this.#pending.delete(nonce);
    return challenge !== undefined && this.#clock.monotonic() < challenge.expires ? challenge : undefined;
  }

  /** Was this nonce ever issued by this device? */
  wasIssued(nonce: string): boolean {
    if (!/^[0-9a-f]{64}$/.test(nonce)) return false;
    return sameText(nonce.slice(2 * randomPart), this.#mark(nonce.slice(0, 2 * randomPart)));
  }

  /** Voids all pending challenges. */
  clear(): void {
    this.#pending.clear();
  }

  #mark(first: string): string {
    return hex(hmac(this.#key, first)).slice(0, 2 * randomPart);
  }

  #makeRoom(): void {
    const [oldest] = this.#pending.keys();
    if (oldest !== undefined && this.#pending.size >= mostPending) this.#pending.delete(oldest);
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
