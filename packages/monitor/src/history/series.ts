import { Buckets } from './buckets.js';
import type { Join } from './curves.js';

const minute = 60_000;

/** How finely values are kept, and how long. */
export interface Resolution {
  /** Of the file. */
  readonly name: 'fine' | 'coarse';
  /** Length of a bucket in ms. */
  readonly length: number;
  /** Buckets that are kept. */
  readonly most: number;
}

/** A minute for a day, and a quarter of an hour for 30 days. */
export const resolutions: readonly [Resolution, Resolution] = [
  { name: 'fine', length: minute, most: 24 * 60 },
  { name: 'coarse', length: 15 * minute, most: 30 * 24 * 4 },
];

/** Points of a curve at most. */
export const mostPoints = 1000;

/** A point of a curve: ms since 1970-01-01 UTC, and the value then; null if it is not known. */
export type CurvePoint = readonly [at: number, value: number | null];

interface Joined {
  readonly bucket: number;
  readonly sum: number;
  readonly count: number;
}

/** One value of one scanner over time, at one resolution. */
interface Part {
  readonly resolution: Resolution;
  readonly buckets: Buckets;
  /** What the newest bucket was made of; undefined before the first value. */
  last: Joined | undefined;
}

/** One value of one scanner over time. */
export class Series {
  readonly #join: Join;
  readonly #parts: readonly Part[] = resolutions.map((resolution) => ({
    ...{ resolution, buckets: new Buckets(resolution.most), last: undefined },
  }));

  constructor(join: Join) {
    this.#join = join;
  }

  /** Takes a value over. It belongs to the buckets of this time. */
  add(at: number, value: number): void {
    for (const part of this.#parts) {
      const bucket = Math.floor(at / part.resolution.length);
      const before = part.last?.bucket === bucket ? part.last : undefined;
      part.last = { bucket, ...joined(this.#join, before, value) };
      part.buckets.set(bucket, part.last.sum / part.last.count);
    }
  }

  bucketsOf(name: Resolution['name']): Buckets | undefined {
    return this.#parts.find(({ resolution }) => resolution.name === name)?.buckets;
  }

  /**
   * Returns the curve from its first known value on, the oldest point first, with gaps as null.
   * @param since ms since 1970-01-01 UTC; everything that is known by default
   * @param every ms between two values: points are not closer than that
   */
  points(now: number, since = Number.NEGATIVE_INFINITY, every = 0): readonly CurvePoint[] {
    const part = this.#partFor(now, since);
    const first = part.buckets.first;
    if (first === undefined) return [];
    const { length, most } = part.resolution;
    const to = Math.floor(now / length);
    const from = Math.max(first, Math.floor(Math.max(since, 0) / length), to - most);
    const step = Math.max(
      1,
      Math.ceil((to - from + 1) / mostPoints),
      every > length ? Math.ceil(every / length) : 1,
    );
    const points: CurvePoint[] = [];
    for (let bucket = from; bucket <= to; bucket += step) {
      const value = this.#joinOf(part.buckets, bucket, Math.min(bucket + step, to + 1));
      // The present stretch may have had no look yet: that is no gap.
      const isNow = bucket + step > to;
      if (value !== null || (points.length > 0 && !isNow)) points.push([bucket * length, value]);
    }
    return points;
  }

  /** The fine values if they reach back far enough, or if there are no older ones. */
  #partFor(now: number, since: number) {
    const [fine, coarse] = this.#parts;
    if (fine === undefined || coarse === undefined) throw new RangeError('expected two resolutions');
    const oldest = Math.max(
      since,
      (coarse.buckets.first ?? Number.POSITIVE_INFINITY) * coarse.resolution.length,
    );
    return oldest >= now - fine.resolution.length * fine.resolution.most ? fine : coarse;
  }

  #joinOf(buckets: Buckets, from: number, to: number): number | null {
    let all: Omit<Joined, 'bucket'> | undefined;
    for (let bucket = from; bucket < to; bucket++) {
      const value = buckets.get(bucket);
      if (!Number.isNaN(value)) all = joined(this.#join, all, value);
    }
    return all === undefined ? null : Number((all.sum / all.count).toPrecision(6));
  }
}

function joined(join: Join, before: Omit<Joined, 'bucket'> | undefined, value: number) {
  if (before === undefined || join === 'last') return { sum: value, count: 1 };
  if (join === 'most') return { sum: Math.max(before.sum, value), count: 1 };
  return { sum: before.sum + value, count: before.count + 1 };
}
