/** Summary of repeated measurements. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** One value a round, in the order in which they were measured. */
  readonly values: readonly number[];
}

/** The middle value; between two middle values, their mean. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error('the median of nothing');
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const upper = sorted[Math.floor(half)] ?? Number.NaN;
  return Number.isInteger(half) ? ((sorted[half - 1] ?? Number.NaN) + upper) / 2 : upper;
}

export function spread(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values), values };
}

/** Quantiles of times in ms. */
export interface Latencies {
  readonly 'p50 ms': number;
  readonly 'p99 ms': number;
  readonly 'most ms': number;
}

export function latencies(milliseconds: readonly number[]): Latencies & Record<string, number> {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return { 'p50 ms': at(0.5), 'p99 ms': at(0.99), 'most ms': at(1) };
}

/**
 * The ratio of two subjects, computed in each round: what slows a whole round down affects both, so it does not
 * change the ratio.
 */
export function ratio(of: readonly number[], to: readonly number[]): Spread {
  if (of.length !== to.length) throw new Error(`${of.length} rounds against ${to.length}`);
  return spread(of.map((value, round) => value / (to[round] ?? Number.NaN)));
}

/**
 * Measures subjects one after the other, in rounds. Each round begins with another subject, so that none always runs
 * after the same other one.
 */
export async function inRounds<Subject>(
  subjects: readonly Subject[],
  rounds: number,
  measure: (subject: Subject, round: number) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const first = round % subjects.length;
    for (const subject of [...subjects.slice(first), ...subjects.slice(0, first)])
      await measure(subject, round);
  }
}
