import type { Measuring } from '../measuring/measuring.js';
import { echoesPerBeam, type Scan } from '../scan/scan.js';
import { type ScanGeometry, sameGeometry } from '../scan/scan-geometry.js';

/** What each beam has seen nearest, in mm; infinity where it has seen nothing. */
export interface Seen {
  readonly geometry: ScanGeometry;
  readonly nearest: Float64Array;
}

/** Learns the surroundings, while it is told to: the nearest echo of each beam over all scans. */
export class Surroundings {
  readonly #measuring: Measuring;
  #unwatch: (() => void) | undefined;
  #seen: Seen | undefined;

  constructor(measuring: Measuring) {
    this.#measuring = measuring;
  }

  get learning(): boolean {
    return this.#unwatch !== undefined;
  }

  /** Learns from the next scan on, anew where it was learning already. */
  start(): void {
    this.#seen = undefined;
    this.#unwatch ??= this.#measuring.watch({ scan: (scan) => this.#take(scan) });
  }

  /** Learns no more. What was seen; undefined where no scan came. */
  stop(): Seen | undefined {
    this.#unwatch?.();
    this.#unwatch = undefined;
    const seen = this.#seen;
    this.#seen = undefined;
    return seen;
  }

  /** Other beams are learnt anew. */
  #take({ geometry, distance }: Scan): void {
    if (this.#seen === undefined || !sameGeometry(this.#seen.geometry, geometry)) {
      this.#seen = { geometry, nearest: new Float64Array(geometry.beams).fill(Number.POSITIVE_INFINITY) };
    }
    const { nearest } = this.#seen;
    for (let beam = 0; beam < nearest.length; beam++) {
      const at = distance[beam * echoesPerBeam] ?? 0;
      if (at > 0 && at < (nearest[beam] ?? 0)) nearest[beam] = at;
    }
  }
}
