import type { Clock } from '../interfaces/environment.js';
import type { Measuring } from '../measuring/measuring.js';
import { echoesPerBeam, type Scan, type ScanGeometry, sameGeometry } from '../scan/scan.js';

/** The nearest echo of each beam in mm; Infinity for a beam without echoes, NaN for one that was never valid. */
export interface NearestByBeam {
  readonly geometry: ScanGeometry;
  readonly nearest: Float64Array;
  /** ms from the first scan to the last. */
  readonly duration: number;
}

/** What has been seen since the first scan. */
interface Collected {
  readonly geometry: ScanGeometry;
  readonly beams: readonly LastingDistance[];
  /** µs, of the first scan and of the last one. */
  readonly since: number;
  until: number;
}

/** ms until which the first scan is awaited: some revolutions, and a core that has to start first. */
const firstScanWithin = 1000;

/** Collects the nearest echo of each beam that lasts for long enough, over all scans between `start` and `stop`. */
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

  /** Collects from the next scan on; begins again if it was collecting already. @param minimumTime ms */
  start(minimumTime: number): void {
    this.#minimumTime = minimumTime * 1000;
    this.#found = undefined;
    this.#unwatch ??= this.#measuring.watch({ scan: (scan) => this.#take(scan) });
  }

  /** Resolves with the first scan, or if it does not come soon; undefined if there is none to wait for. */
  firstScan(): Promise<void> | undefined {
    if (!this.running || this.#found !== undefined || this.#measuring.state !== 'measuring') return undefined;
    return new Promise((resolve) => {
      const cancel = this.#clock.after(firstScanWithin, () => done());
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

  /** Takes a scan. If its geometry is another one, begins again. */
  #take({ geometry, distance, invalid, time }: Scan): void {
    if (this.#found === undefined || !sameGeometry(this.#found.geometry, geometry)) {
      const beams = Array.from({ length: geometry.beams }, () => new LastingDistance(this.#minimumTime));
      this.#found = { geometry, beams, since: time, until: time };
    }
    this.#found.until = time;
    for (const [beam, lasting] of this.#found.beams.entries()) {
      if (invalid[beam] === 1) continue;
      lasting.take(distance[beam * echoesPerBeam] || Number.POSITIVE_INFINITY, time);
    }
    this.#release();
  }

  #release(): void {
    for (const done of this.#waiting) done();
  }
}

/**
 * The nearest distance at which a beam has seen something for long enough: of all periods of this length, that with the nearest
 * furthest distance. Who passes in less time leaves no trace.
 */
class LastingDistance {
  readonly #period: number;
  #since: number | undefined;
  /** The distances that may still be the furthest of a period, with their times: each one nearer than the one before. */
  readonly #distances: number[] = [];
  readonly #times: number[] = [];
  #nearest = Number.NaN;

  /** @param period in the unit of the times; 0: each distance counts */
  constructor(period: number) {
    this.#period = period;
  }

  /** NaN before a whole period has passed; Infinity if nothing was seen for long enough. */
  get nearest(): number {
    return this.#nearest;
  }

  /** @param distance Infinity if nothing is seen. It holds until the next one. */
  take(distance: number, time: number): void {
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
    // NaN is replaced, too.
    if (!(furthest >= this.#nearest)) this.#nearest = furthest;
  }
}
