import type { ScanGeometry } from '@azimuth/device';
import type { ScanMoment } from './truth.js';

/** Scans whose moments are kept. */
const mostKept = 256;

/** When the last scans began. All arrays are made once. */
export class RecentScans {
  readonly #numbers = new Float64Array(mostKept);
  readonly #times = new Float64Array(mostKept);
  #geometry: ScanGeometry | undefined;
  #count = 0;

  /** A scan has begun. Scans of another geometry are forgotten. */
  add(number: number, time: number, geometry: ScanGeometry): void {
    if (geometry !== this.#geometry) this.clear();
    this.#geometry = geometry;
    const place = this.#count % mostKept;
    this.#numbers[place] = number;
    this.#times[place] = time;
    this.#count += 1;
  }

  clear(): void {
    this.#count = 0;
  }

  /** The newest scan for which `isIt` is true; undefined if there is none. */
  find(isIt: (scan: ScanMoment) => boolean): ScanMoment | undefined {
    const geometry = this.#geometry;
    if (geometry === undefined) return undefined;
    for (let index = this.#count - 1; index >= Math.max(0, this.#count - mostKept); index--) {
      const place = index % mostKept;
      const scan = { number: this.#numbers[place] ?? 0, time: this.#times[place] ?? 0, geometry };
      if (isIt(scan)) return scan;
    }
    return undefined;
  }
}
