import { randomFillSync } from 'node:crypto';
import type { Random } from '../ports/random.js';

/** The operating system's random bytes, fetched by the page: one call for each nonce costs ten times as much. */
export class SystemRandom implements Random {
  readonly #pool = new Uint8Array(4096);
  #used = this.#pool.length;

  bytes(count: number): Uint8Array {
    if (count > this.#pool.length) return randomFillSync(new Uint8Array(count));
    if (this.#used + count > this.#pool.length) {
      randomFillSync(this.#pool);
      this.#used = 0;
    }
    const bytes = this.#pool.slice(this.#used, this.#used + count);
    // A byte is handed out once, and leaves no copy behind.
    this.#pool.fill(0, this.#used, this.#used + count);
    this.#used += count;
    return bytes;
  }
}
