import type { TruthSource } from './matching.js';
import { type TrueBeam, TrueScan } from './true-scan.js';

/**
 * The truth of a scanner with a moving average: each scan has the number of the first scan of its average, the time of the last
 * one, and the mean of their ranges.
 */
export class AveragedTruth implements TruthSource {
  readonly #source: TruthSource;
  readonly #depth: number;

  /** @param depth number of scans in an average */
  constructor(source: TruthSource, depth: number) {
    this.#source = source;
    this.#depth = depth;
  }

  async newest(): Promise<TrueScan | undefined> {
    const newest = await this.#source.newest();
    return newest === undefined ? undefined : this.scan(newest.number - this.#depth + 1);
  }

  async scan(number: number): Promise<TrueScan | undefined> {
    const scans: TrueScan[] = [];
    for (let at = 0; at < this.#depth; at++) {
      const scan = await this.#source.scan(number + at);
      if (scan === undefined) return undefined;
      scans.push(scan);
    }
    const last = scans.at(-1);
    if (last === undefined || scans.some(({ beams }) => beams.length !== last.beams.length)) return undefined;
    const beams = last.beams.map((beam, at) =>
      meanOf(
        beam,
        scans.map((scan) => scan.beams[at]),
      ),
    );
    return new TrueScan(number, beams, { first: last.firstAngle, last: last.angleAt(beams.length - 1) });
  }
}

/** m: ranges that differ by more have no single mean. */
const mostDifference = 0.3;

/** Returns a beam with the mean range. Where another object comes in between, no range is the only true one. */
function meanOf(last: TrueBeam, beams: readonly (TrueBeam | undefined)[]): TrueBeam {
  const ranges = beams.flatMap((beam) => (beam?.range === undefined ? [] : [beam.range]));
  const isSame =
    ranges.length === beams.length &&
    beams.every((beam) => beam?.object === last.object) &&
    Math.max(...ranges) - Math.min(...ranges) < mostDifference;
  if (isSame) return { ...last, range: ranges.reduce((sum, range) => sum + range, 0) / ranges.length };
  return ranges.length === 0 ? last : { ...last, fog: true };
}
