import type { LoginLevel } from '@azimuth/model';
import type { Clock } from '../interfaces/clock.js';
import type { Random } from '../interfaces/random.js';
import { Nonces } from './nonces.js';

const lifetimeMilliseconds = 60_000;
const mostPending = 64;

/** A challenge that was handed out and not used yet. */
export interface PendingChallenge {
  readonly level: LoginLevel;
  readonly nonce: string;
  readonly opaque: string;
  /** When it was handed out: ms of the monotonic clock. */
  readonly issued: number;
}

/**
 * The challenges that were handed out. The device recognises its nonces: so a nonce that it issued and forgot (spent,
 * expired, pushed out) differs from one that it never issued.
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

  /** A new challenge for a level. It voids those of other levels; of the same level, the newest 64 stay pending. */
  issue(level: LoginLevel): PendingChallenge {
    if (level !== this.#level) this.#pending.clear();
    this.#level = level;
    this.#makeRoom();
    const { nonce, opaque } = this.#nonces.next();
    const challenge = { level, nonce, opaque, issued: this.#clock.monotonic() };
    this.#pending.set(nonce, challenge);
    return challenge;
  }

  /** How many are pending, expired ones included. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Takes a pending challenge, which is spent from now on. Undefined if none with this nonce is pending and in time. */
  spend(nonce: string): PendingChallenge | undefined {
    const challenge = this.#pending.get(nonce);
    if (challenge === undefined) return undefined;
    this.#pending.delete(nonce);
    return this.#clock.monotonic() < challenge.issued + lifetimeMilliseconds ? challenge : undefined;
  }

  /** Was this nonce ever issued by this device? */
  wasIssued(nonce: string): boolean {
    return this.#nonces.recognises(nonce);
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
 * Refuses challenges for 3 s after 50 were fetched within 2 s and not used. A client that answers every challenge it
 * fetches is never refused, however fast it is.
 */
export class Flood {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** When each unused challenge was fetched, oldest first; never more than 50. */
  readonly #unused = new Map<string, number>();
  #refusedUntil = Number.NEGATIVE_INFINITY;
  #floods = 0;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  get refuses(): boolean {
    return this.#floods > 0 && this.#clock.monotonic() < this.#refusedUntil;
  }

  /** How often it has begun to refuse since the process started. */
  get floods(): number {
    return this.#floods;
  }

  /** @param now ms of the monotonic clock, if it was just read */
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
}
