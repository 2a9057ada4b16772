import type { Clock } from '../interfaces/environment.js';
import type { Measuring } from '../measuring/measuring.js';
import { echoesPerBeam, type Scan, type ScanGeometry, sameGeometry } from '../scan/scan.js';

/** The nearest echo of each beam in mm. Infinity: the beam has no echo. NaN: the beam was never valid. */
export interface NearestByBeam {
  readonly geometry: ScanGeometry;
  readonly nearest: Float64Array;
  /** ms from the first scan to the last. */
  readonly duration: number;
}

/** The echoes since the first scan. */
interface Collected {
  readonly geometry: ScanGeometry;
  readonly beams: readonly LastingDistance[];
  /** Times of the first scan and of the last one, in µs. */
  readonly since: number;
  until: number;
}

/** Time limit in ms for the first scan: some revolutions, and the start of the core. */
const firstScanTimeout = 1000;

/** Collects the nearest lasting echo of each beam over all scans between `start` and `stop`. */
export class NearestEchoes {
  readonly #measuring: Measuring;
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  #unwatch: (() => void) | undefined;
  #found: Collected | undefined;
  /** µs. */
  #minimumTime = 0;

  constructor(measuring: Measuring, clock: Clock) {
    this.#measuring = measuring;
    this.#clock = clock;
  }

  get running(): boolean {
    return this.#unwatch !== undefined;
  }

  /** Starts to collect with the next scan. A running collection starts again. */
  start(minimumTime: number): void {
    this.#minimumTime = minimumTime * 1000;
    this.#found = undefined;
    this.#unwatch ??= this.#measuring.watch({ scan: (scan) => this.#addScan(scan) });
  }

  /** Resolves with the first scan, or after a time limit. Undefined if no first scan is expected. */
  firstScan(): Promise<void> | undefined {
    if (!this.running || this.#found !== undefined || this.#measuring.state !== 'measuring') return undefined;
    return new Promise((resolve) => {
      const cancel = this.#clock.after(firstScanTimeout, () => done());
      const done = () => {
        cancel();
        this.#waiting.delete(done);
        resolve();
      };
      this.#waiting.add(done);
    });
  }

  /** Ends collecting. Returns the echoes; undefined if no scan came. */
  stop(): NearestByBeam | undefined {
    this.#unwatch?.();
    this.#unwatch = undefined;
    this.#release();
    const found = this.#found;
    this.#found = undefined;
    if (found === undefined) return undefined;
    const { geometry, beams, since, until } = found;
    const nearest = Float64Array.from(beams, (beam) => beam.nearest);
    return { geometry, nearest, duration: (until - since) / 1000 };
  }

  /** Adds a scan. If the geometry has changed, the collection starts again. */
  #addScan({ geometry, distance, invalid, time }: Scan): void {
    if (this.#found === undefined || !sameGeometry(this.#found.geometry, geometry)) {
      const beams = Array.from({ length: geometry.beams }, () => new LastingDistance(this.#minimumTime));
      this.#found = { geometry, beams, since: time, until: time };
    }
    this.#found.until = time;
    for (const [beam, lasting] of this.#found.beams.entries()) {
      if (invalid[beam] === 1) continue;
      lasting.add(distance[beam * echoesPerBeam] || Number.POSITIVE_INFINITY, time);
    }
    this.#release();
  }

  #release(): void {
    for (const done of this.#waiting) done();
  }
}

/**
 * The nearest lasting distance of a beam. For each period of this length, the furthest distance counts. The result is
 * the nearest of these. A person who passes in less time leaves no trace.
 */
class LastingDistance {
  readonly #period: number;
  #since: number | undefined;
  /** Candidates for the furthest distance of a period, with their times. Each is nearer than the one before. */
  readonly #distances: number[] = [];
  readonly #times: number[] = [];
  #nearest = Number.NaN;

  /** @param period in the unit of the times; 0: each distance counts */
  constructor(period: number) {
    this.#period = period;
  }

  /** NaN before the first full period. Infinity if no echo lasted long enough. */
  get nearest(): number {
    return this.#nearest;
  }

  /** @param distance Infinity without an echo. It holds until the next one. */
  add(distance: number, time: number): void {
    const [distances, times] = [this.#distances, this.#times];
    this.#since ??= time;
    while ((distances.at(-1) ?? Number.POSITIVE_INFINITY) <= distance && distances.length > 0) {
      distances.pop();
      times.pop();
    }
    distances.push(distance);
    times.push(time);
    while ((times[0] ?? time) < time - this.#period) {
      distances.shift();
      times.shift();
    }
    if (time - this.#since < this.#period) return;
    const furthest = distances[0] ?? distance;
    // The comparison also replaces NaN.
    if (!(furthest >= this.#nearest)) this.#nearest = furthest;
  }
}
