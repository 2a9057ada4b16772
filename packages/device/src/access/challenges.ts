import { timingSafeEqual } from 'node:crypto';
import type { Challenge, Credentials, LoginLevel } from '@azimuth/model';
import type { Clock, Random } from '../interfaces/environment.js';
import { Nonces } from './nonces.js';

const lifetimeMilliseconds = 60_000;
const mostPending = 64;

/** Response to getChallenge. Nonce and opaque are hex, so a JSON text of them needs no escapes. */
export class IssuedChallenge implements Challenge {
  constructor(
    readonly realm: string,
    readonly nonce: string,
    readonly opaque: string,
    readonly salt: readonly number[],
  ) {}
}

/** A pending challenge: issued, and not used yet. */
export interface PendingChallenge {
  readonly level: LoginLevel;
  readonly nonce: string;
  readonly opaque: string;
  /** Time of issue: ms of the monotonic clock. */
  readonly issued: number;
}

/** Pending challenges as plain values, the oldest first. */
export interface KeptChallenges {
  readonly level: LoginLevel | undefined;
  readonly pending: readonly PendingChallenge[];
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

  /** The pending challenges, and the level that has them. */
  get kept(): KeptChallenges {
    return { level: this.#level, pending: [...this.#pending.values()] };
  }

  /** Has these challenges pending, which the same scanner has issued before it was started again. */
  takeUp({ level, pending }: KeptChallenges): void {
    this.#level = level;
    for (const one of pending) this.#pending.set(one.nonce, one);
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

/** Characters of an opaque and of a response. */
const hexLength = 64;

/** Compares the proof of a client with the right one, always in the same two buffers. New buffers would cost more. */
export class Proof {
  readonly #given = Buffer.alloc(2 * hexLength);
  readonly #right = Buffer.alloc(2 * hexLength);

  /** Compares both texts at once, so that the time does not depend on the place of a difference. */
  isSame(given: Pick<Credentials, 'opaque' | 'response'>, opaque: string, response: string): boolean {
    if (given.opaque.length !== hexLength || given.response.length !== hexLength) return false;
    this.#given.write(given.opaque + given.response, 'latin1');
    this.#right.write(opaque + response, 'latin1');
    if (!timingSafeEqual(this.#given, this.#right)) return false;
    // Of a character above 255, only the lowest byte was compared.
    return given.opaque === opaque && given.response === response;
  }
}

/** State of a flood protection as plain values. Times are ms of the monotonic clock. */
export interface KeptFlood {
  readonly unused: readonly (readonly [nonce: string, at: number])[];
  readonly refusedUntil: number;
  readonly floods: number;
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

  /** The unused challenges with their times of issue, and a refusal. */
  get kept(): KeptFlood {
    return { unused: [...this.#unused], refusedUntil: this.#refusedUntil, floods: this.#floods };
  }

  takeUp({ unused, refusedUntil, floods }: KeptFlood): void {
    for (const [nonce, at] of unused) this.#unused.set(nonce, at);
    this.#refusedUntil = refusedUntil;
    this.#floods = floods;
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
