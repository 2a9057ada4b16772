import { createHash } from 'node:crypto';
import type { Random } from '@azimuth/device';

/** Random values that are the same for the same seed (mulberry32). */
export class SeededRandom implements Random {
  #state: number;

  constructor(seed = 'a') {
    this.#state = createHash('sha256').update(seed).digest().readUInt32LE();
  }

  /** At least 0, below 1. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  /** A whole number between the two, both included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** True in so many cases of a hundred. */
  percent(cases: number): boolean {
    return this.fraction() * 100 < cases;
  }

  pick<T>(choices: readonly [T, ...T[]] | readonly T[]): T {
    const choice = choices[this.below(choices.length)];
    if (choice === undefined) throw new Error('nothing to pick from');
    return choice;
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.below(256)));
  }
}
