/**
 * Places in something long: all of both ends, and every so many between. With a step that is a prime, all bits of a
 * byte have their turn.
 * @param ends how many at each end
 */
export function endsAndSample(length: number, ends: number, step: number): readonly number[] {
  return Array.from({ length }, (_, at) => at).filter(
    (at) => at < ends || at >= length - ends || at % step === 0,
  );
}

/** @param bit counted from the lowest bit of the first byte on */
export function withBitFlipped(bytes: Uint8Array, bit: number): Uint8Array {
  const flipped = Uint8Array.from(bytes);
  flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return flipped;
}
