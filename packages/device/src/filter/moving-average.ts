import type { ScanGeometry } from '../scan/scan.js';
import { echoesPerBeam, type Scan } from '../scan/scan.js';
import type { ScanFilter } from './scan-filter.js';

/**
 * LFPmovingAveragingFilter: each echo gets the mean distance of the echoes at the same place of its beam in the last scans,
 * this one included. Scans without an echo there do not count. Strength and flags are those of this scan, and no echo is
 * added where it has none.
 *
 * If the means of a beam are not in ascending order, the beam meets other objects than before: its echoes keep the distances
 * of this scan.
 *
 * A gap in the numbers of the scans clears the history.
 */
export class MovingAverage implements ScanFilter {
  /** Number of scans in the average. */
  readonly depth: number;
  /** Distances of the last scans, one scan after the other; when it is full, the oldest scan is overwritten. */
  readonly #history: Float32Array;
  /** Scans in the history, which are at its beginning. */
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

/** The mean of every `step`-th distance from `place` on, without those that are 0. At least one is not 0. */
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
