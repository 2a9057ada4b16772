/**
 * Growth (MB) of a memory from the third quarter of equal rounds to the fourth, if it goes on. The first half is omitted,
 * because a process first takes memory that it keeps. A leak grows in each quarter of the rest. A process that takes a large
 * piece once grows in one of them only: so the slower growth of the two counts. Few rounds are one part.
 * @param memory MB after each round
 */
export function growthOf(memory: readonly number[]): number {
  const [, rest] = halves(memory);
  const parts = rest.length < 4 ? [rest] : halves(rest);
  return Math.min(...parts.map((part) => (slopeOf(part) * rest.length) / 2));
}

function halves(values: readonly number[]): readonly [readonly number[], readonly number[]] {
  const middle = Math.ceil(values.length / 2);
  return [values.slice(0, middle), values.slice(middle)];
}

/** Growth a round: the median of all pairs, which single rounds do not move (Theil and Sen). */
function slopeOf(values: readonly number[]): number {
  return median(
    values.flatMap((value, at) =>
      values.slice(0, at).map((earlier, from) => (value - earlier) / (at - from)),
    ),
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
