import type { ScanGeometry } from '../scan/scan.js';
import { echoesPerBeam, type Scan } from '../scan/scan.js';
import { copyBeams, type ScanFilter } from './scan-filter.js';

/**
 * LFPmovingAveragingFilter: each place of each beam gets the mean of the distances that were measured there in the last
 * scans, this one included. Scans without an echo there do not count; without any, the place stays free. Strength and flags
 * are those of the newest of these scans that has an echo there.
 *
 * There is no result before as many scans as its depth have come. A result has the number of the first scan that went in,
 * and the time of this one.
 *
 * If the means of a beam are not in ascending order, the beam has met other objects than before: it gets the echoes of the
 * newest scan that has any. A beam that is invalid in this scan has no echo.
 *
 * It begins anew if numbers do not rise, or if as many scans as its depth, or more, are missing in a row.
 */
export class MovingAverage implements ScanFilter {
  /** Number of scans in the average. */
  readonly depth: number;
  /** The last scans as measured, one after the other; when it is full, the oldest scan is overwritten. */
  readonly #distance: Float32Array;
  readonly #rssi: Uint16Array;
  readonly #flags: Uint8Array;
  /** Numbers of these scans. */
  readonly #numbers: Float64Array;
  /** Number of scans in the history. They are at its beginning. */
  #scanCount = 0;
  /** Index that the next scan overwrites: the oldest scan, if the history is full. */
  #next = 0;

  constructor({ beams }: ScanGeometry, depth: number) {
    const places = depth * beams * echoesPerBeam;
    this.depth = depth;
    this.#distance = new Float32Array(places);
    this.#rssi = new Uint16Array(places);
    this.#flags = new Uint8Array(places);
    this.#numbers = new Float64Array(depth);
  }

  begin(scan: Scan): boolean {
    const last = this.#numbers[this.#newest(0)] ?? 0;
    const isContinued = this.#scanCount > 0 && scan.number > last && scan.number <= last + this.depth;
    if (!isContinued) {
      this.#scanCount = 0;
      this.#next = 0;
    }
    this.#numbers[this.#next] = scan.number;
    this.#scanCount = Math.max(this.#scanCount, this.#next + 1);
    this.#next = (this.#next + 1) % this.depth;
    if (this.#scanCount < this.depth) return false;
    scan.number = this.#numbers[this.#next] ?? 0;
    return true;
  }

  apply(scan: Scan, from: number, to: number): number {
    this.#remember(scan, from, to);
    if (this.#scanCount < this.depth) return to;
    const { invalid, invalidBeams } = scan;
    const history = this.#distance;
    const places = scan.distance.length;
    const behind = to * echoesPerBeam;
    for (let first = from * echoesPerBeam; first < behind; first += echoesPerBeam) {
      const mean0 = meanOf(history, first, places);
      if (mean0 === 0 || (invalidBeams > 0 && invalid[first / echoesPerBeam] === 1)) continue;
      // No scan has an echo behind a gap.
      const mean1 = meanOf(history, first + 1, places);
      const mean2 = mean1 === 0 ? 0 : meanOf(history, first + 2, places);
      if ((mean1 !== 0 && mean1 < mean0) || (mean2 !== 0 && mean2 < mean1)) {
        this.#addNewest(scan, first);
        continue;
      }
      this.#put(scan, first, mean0);
      if (mean1 !== 0) this.#put(scan, first + 1, mean1);
      if (mean2 !== 0) this.#put(scan, first + 2, mean2);
    }
    return to;
  }

  #remember({ distance, rssi, flags }: Scan, from: number, to: number): void {
    const at = this.#newest(0) * distance.length;
    copyBeams(distance, this.#distance, from, to, at);
    copyBeams(rssi, this.#rssi, from, to, at);
    copyBeams(flags, this.#flags, from, to, at);
  }

  /** Index in the history of the newest scan, or of the scan `before` places older. */
  #newest(before: number): number {
    return (this.#next + 2 * this.depth - 1 - before) % this.depth;
  }

  /**
   * Stores a mean in its place. If this scan has no echo there, strength and flags come from the newest scan with one.
   */
  #put({ distance, rssi, flags }: Scan, place: number, mean: number): void {
    const isMissing = distance[place] === 0;
    distance[place] = mean;
    if (!isMissing) return;
    for (let before = 1; before < this.depth; before++) {
      const at = this.#newest(before) * distance.length + place;
      if (this.#distance[at] === 0) continue;
      rssi[place] = this.#rssi[at] ?? 0;
      flags[place] = this.#flags[at] ?? 0;
      return;
    }
  }

  /** Copies the echoes of a beam from the newest scan in which it has any. */
  #addNewest({ distance, rssi, flags }: Scan, first: number): void {
    for (let before = 0; before < this.depth; before++) {
      const at = this.#newest(before) * distance.length + first;
      if (this.#distance[at] === 0) continue;
      for (let echo = 0; echo < echoesPerBeam; echo++) {
        distance[first + echo] = this.#distance[at + echo] ?? 0;
        rssi[first + echo] = this.#rssi[at + echo] ?? 0;
        flags[first + echo] = this.#flags[at + echo] ?? 0;
      }
      return;
    }
  }
}

/** The mean of every `step`-th distance from `place` on, without zeros. 0 if all are zero. */
function meanOf(distances: Float32Array, place: number, step: number): number {
  let total = 0;
  let count = 0;
  for (let at = place; at < distances.length; at += step) {
    const d = distances[at] ?? 0;
    total += d;
    if (d !== 0) count++;
  }
  return count === 0 ? 0 : total / count;
}
