import type { Clock } from '../interfaces/clock.js';

const unusedAllowed = 50;
const windowMilliseconds = 2000;
const refusalMilliseconds = 3000;

/**
 * Refuses challenges for 3 s when 50 were fetched within 2 s and never used. Whoever answers each challenge that
 * he fetches never meets it, however fast he is.
 */
export class Flood {
  readonly #clock: Clock;
  /** When each challenge that nobody has used yet was fetched, oldest first; never more than 50. */
  readonly #unused = new Map<string, number>();
  #refusedUntil = Number.NEGATIVE_INFINITY;
  #floods = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get refuses(): boolean {
    return this.#clock.monotonic() < this.#refusedUntil;
  }

  /** How often it has begun to refuse since the process started. */
  get floods(): number {
    return this.#floods;
  }

  fetched(nonce: string): void {
    const now = this.#clock.monotonic();
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
