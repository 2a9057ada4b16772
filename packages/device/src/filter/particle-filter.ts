import { echoesPerBeam, type Scan } from '../scan/scan.js';
import type { ScanFilter } from './scan-filter.js';
import { removeEchoes } from './scan-filter.js';

/**
 * LFPparticle: removes isolated echoes. An echo is isolated if neither neighbouring beam has any echo whose distance differs
 * by at most the threshold. The first and the last beam have one neighbour. Two near echoes keep each other, so the order
 * of the beams does not matter.
 */
export class ParticleFilter implements ScanFilter {
  readonly #threshold: number;

  /** @param threshold mm. */
  constructor(threshold: number) {
    this.#threshold = threshold;
  }

  apply(scan: Scan): void {
    const threshold = this.#threshold;
    const { distance } = scan;
    const { beams } = scan.geometry;
    // The echoes of three beams move through variables, so that each place is read once. A missing echo is near to none.
    let before0 = none;
    let before1 = none;
    let before2 = none;
    let d0 = distance[0] || none;
    let d1 = distance[1] || none;
    let d2 = distance[2] || none;
    for (let beam = 0; beam < beams; beam++) {
      const next = (beam + 1) * echoesPerBeam;
      const isLast = beam === beams - 1;
      const after0 = isLast ? none : distance[next] || none;
      const after1 = isLast ? none : distance[next + 1] || none;
      const after2 = isLast ? none : distance[next + 2] || none;
      let removed = 0;
      for (let echo = 0; echo < echoesPerBeam; echo++) {
        const d = echo === 0 ? d0 : echo === 1 ? d1 : d2;
        if (d === none) break;
        const isBeside =
          Math.abs(d - before0) <= threshold ||
          Math.abs(d - after0) <= threshold ||
          Math.abs(d - before1) <= threshold ||
          Math.abs(d - after1) <= threshold ||
          Math.abs(d - before2) <= threshold ||
          Math.abs(d - after2) <= threshold;
        if (!isBeside) removed |= 1 << echo;
      }
      if (removed !== 0) removeEchoes(scan, beam, removed);
      before0 = d0;
      before1 = d1;
      before2 = d2;
      d0 = after0;
      d1 = after1;
      d2 = after2;
    }
  }
}

/** The distance of a missing echo. */
const none = Number.POSITIVE_INFINITY;
