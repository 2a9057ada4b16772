import { createHash } from 'node:crypto';
import type { Random } from '@azimuth/device';

/** Bytes that look random and are the same in every run. */
export class SeededRandom implements Random {
  readonly #seed: string;
  #block = 0;

  constructor(seed = 'a') {
    this.#seed = seed;
  }

  bytes(count: number): Uint8Array {
    const blocks: Buffer[] = [];
    for (let length = 0; length < count; length += 32) {
      blocks.push(
        createHash('sha256')
          .update(`${this.#seed}${this.#block++}`)
          .digest(),
      );
    }
    return Uint8Array.from(Buffer.concat(blocks).subarray(0, count));
  }
}
