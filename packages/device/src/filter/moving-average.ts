import { echoesPerBeam, type Scan } from '../scan/scan.js';
import type { ScanGeometry } from '../scan/scan-geometry.js';
import type { ScanFilter } from './scan-filter.js';

/**
 * LFPmovingAveragingFilter: each echo gets the mean distance that its place of its beam had in the last scans, this
 * one included; scans without an echo there do not count. Strength and flags stay those of this scan, and where it
 * has no echo, none comes.
 *
 * If the means of a beam were no longer in order, the beam has met something else than before: its echoes keep the
 * distances of this scan.
 *
 * What was seen before a gap in the numbers of the scans is forgotten.
 */
export class MovingAverage implements ScanFilter {
  /** Scans that are averaged over. */
  readonly depth: number;
  /** Distances of the last scans, one scan behind the other; once it is full, the oldest is overwritten. */
  readonly #history: Float32Array;
  /** Scans in the history: they are at its beginning. */
  #known = 0;
  #next = 0;
  #number = Number.NaN;

  constructor({ beams }: ScanGeometry, depth: number) {
    this.depth = depth;
    this.#history = new Float32Array(depth * beams * echoesPerBeam);
  }

  apply(scan: Scan): void {
    this.#remember(scan);
    if (this.#known === 1) return;
    const { distance } = scan;
    const history = this.#history;
    const places = distance.length;
    const end = this.#known * places;
    for (let first = 0; first < places; first += echoesPerBeam) {
      if (distance[first] === 0) continue;
      const mean0 = meanOf(history, first, places, end);
      const mean1 = distance[first + 1] === 0 ? 0 : meanOf(history, first + 1, places, end);
      const mean2 = distance[first + 2] === 0 ? 0 : meanOf(history, first + 2, places, end);
      if ((mean1 !== 0 && mean1 < mean0) || (mean2 !== 0 && mean2 < mean1)) continue;
      distance[first] = mean0;
      distance[first + 1] = mean1;
      distance[first + 2] = mean2;
    }
  }

  #remember({ number, distance }: Scan): void {
    if (number !== this.#number + 1) {
      this.#known = 0;
      this.#next = 0;
    }
    this.#number = number;
    this.#history.set(distance, this.#next * distance.length);
    this.#known = Math.max(this.#known, this.#next + 1);
    this.#next = (this.#next + 1) % this.depth;
  }
}

/** The mean of every `step`-th distance from `place` on; those that are 0 do not count, but one of them is not. */
function meanOf(distances: Float32Array, place: number, step: number, end: number): number {
  let sum = 0;
  let count = 0;
  for (let at = place; at < end; at += step) {
    const d = distances[at] ?? 0;
    sum += d;
    if (d !== 0) count++;
  }
  return sum / count;
}
