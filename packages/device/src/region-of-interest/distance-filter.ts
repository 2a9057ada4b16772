import { removeEchoes } from '../filter/remove-echoes.js';
import type { ScanFilter } from '../filter/scan-filter.js';
import { echoesPerBeam, type Scan } from '../scan/scan.js';

/** A span of distances for each beam in mm; nothing is between a nearest that is above its furthest. */
export interface BeamSpans {
  readonly nearest: Float64Array;
  readonly furthest: Float64Array;
}

/** Keeps the echoes whose distance is in the span of their beam, both ends included. */
export class DistanceFilter implements ScanFilter {
  readonly #spans: BeamSpans;

  constructor(spans: BeamSpans) {
    this.#spans = spans;
  }

  apply(scan: Scan): void {
    const { distance } = scan;
    const { nearest, furthest } = this.#spans;
    for (let beam = 0; beam < nearest.length; beam++) {
      const near = nearest[beam] ?? 0;
      const far = furthest[beam] ?? 0;
      let removed = 0;
      for (let echo = 0; echo < echoesPerBeam; echo++) {
        const d = distance[beam * echoesPerBeam + echo] ?? 0;
        if (d === 0) break;
        if (d < near || d > far) removed |= 1 << echo;
      }
      if (removed !== 0) removeEchoes(scan, beam, removed);
    }
  }
}
