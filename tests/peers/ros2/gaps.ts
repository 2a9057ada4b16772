import type { Sample } from './subscriber.js';

/** Where stamps are further apart than a scan and a half: how many scans are missing there. */
export interface Gap {
  readonly after: bigint;
  readonly missing: number;
}

/**
 * The gaps in the stamps of one writer.
 * @param period ns from one scan to the next
 */
export function gapsIn(samples: readonly Sample[], period: number): readonly Gap[] {
  return samples.slice(1).flatMap(({ stamp }, before) => {
    const after = samples[before]?.stamp ?? 0n;
    const missing = Math.round(Number(stamp - after) / period) - 1;
    return missing === 0 ? [] : [{ after, missing }];
  });
}

/** How many scans are missing. Throws if a stamp goes back or comes twice. */
export function missingIn(samples: readonly Sample[], period: number): number {
  return gapsIn(samples, period).reduce((sum, { after, missing }) => {
    if (missing < 0) throw new Error(`after ${after}, a scan comes again`);
    return sum + missing;
  }, 0);
}

/**
 * The stamps that a reader lacks, between its first and its last, of those that anybody received from the writer. Scans
 * that the scanner left out itself, because the machine was too slow, nobody received.
 */
export function lacking(samples: readonly Sample[], all: readonly (readonly Sample[])[]): readonly bigint[] {
  const own = new Set(samples.map(({ stamp }) => stamp));
  // Fast DDS does not always hand samples out in their order.
  const ordered = [...own].sort((one, other) => Number(one - other));
  const [first = 0n] = ordered;
  const last = ordered.at(-1) ?? 0n;
  const sent = new Set(all.flatMap((others) => others.map(({ stamp }) => stamp)));
  return [...sent].filter((stamp) => stamp > first && stamp < last && !own.has(stamp)).sort();
}

/** How many numbers are missing among those that the writer gave its samples. 0 for a vendor that does not tell them. */
export function numbersMissingIn(samples: readonly Sample[]): number {
  const sequence = samples.flatMap(({ sequence }) => sequence ?? []);
  return sequence.length === 0 ? 0 : Math.max(...sequence) - Math.min(...sequence) + 1 - sequence.length;
}
