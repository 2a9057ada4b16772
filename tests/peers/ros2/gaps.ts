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
