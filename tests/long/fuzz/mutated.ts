import type { SeededRandom } from '@azimuth/test-support/seeded-random';

/** Texts that a mutation inserts. */
const insertions = [' ', '  ', ' FFFFFFFF', ' +99999', ' -1', 'é'];

/** Changes bytes in one to three places: cuts, inserts, removes, replaces or repeats some of them. */
export function mutated(random: SeededRandom, original: Buffer, texts = insertions): Buffer {
  let bytes = Buffer.from(original);
  for (let count = random.between(1, 3); count > 0; count -= 1) {
    const at = random.below(bytes.length + 1);
    const before = bytes.subarray(0, at);
    switch (random.below(7)) {
      case 0:
        bytes = before;
        break;
      case 1:
        bytes = Buffer.concat([before, random.bytes(random.between(1, 5)), bytes.subarray(at)]);
        break;
      case 2:
        bytes = Buffer.concat([before, bytes.subarray(at + random.between(1, 4))]);
        break;
      case 3:
        if (at < bytes.length) bytes[at] = random.below(256);
        break;
      case 4:
        if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
        break;
      case 5:
        bytes = Buffer.concat([bytes, bytes.subarray(at)]);
        break;
      default:
        bytes = Buffer.concat([before, Buffer.from(random.pick(texts)), bytes.subarray(at)]);
    }
  }
  return bytes;
}
