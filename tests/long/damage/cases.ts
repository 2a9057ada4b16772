import type { SeededRandom } from '@azimuth/test-support/seeded-random';

/** How many cases a run has: as the environment says (`npm run campaign damage`), or few for `npm run test:long`. */
export function casesOr(few: number): { readonly cases: number; readonly seed: string } {
  const { AZIMUTH_DAMAGE_CASES, AZIMUTH_DAMAGE_SEED } = process.env;
  const seed = AZIMUTH_DAMAGE_SEED ?? String(Math.floor(Math.random() * 2 ** 31));
  return { cases: Number(AZIMUTH_DAMAGE_CASES ?? few), seed };
}

/** Some bytes with a damage, and what it is. */
export interface Damaged {
  readonly bytes: Buffer;
  readonly what: string;
}

/**
 * Damages bytes at random: a flipped bit, or a sector of 512 bytes of zeros, of ones, of random bytes, of blanks, or of another
 * place. Undefined if that changes nothing.
 * @param others bytes of which a sector may come
 */
export function damaged(whole: Uint8Array, others: Uint8Array, random: SeededRandom): Damaged | undefined {
  const bytes = Buffer.from(whole);
  if (random.percent(60)) {
    const bit = random.below(bytes.length * 8);
    bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    return { bytes, what: `bit ${bit}` };
  }
  const at = random.percent(50)
    ? random.below(bytes.length)
    : 512 * random.below(Math.ceil(bytes.length / 512));
  const until = Math.min(bytes.length, at + 512);
  const from = random.below(Math.max(1, others.length - 512));
  const sector = random.pick([
    Buffer.alloc(512),
    Buffer.alloc(512, 0xff),
    Buffer.alloc(512, 0x20),
    Buffer.from(random.bytes(512)),
    Buffer.from(others.subarray(from, from + 512)),
  ]);
  sector.copy(bytes, at, 0, until - at);
  return bytes.equals(whole) ? undefined : { bytes, what: `bytes ${at} to ${until - 1}` };
}
