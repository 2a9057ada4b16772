import { doubledPause } from '@azimuth/async';
import { newestRelease } from '@azimuth/model';
import type { Named, ScannerFacts } from '../scanners/scanner-facts.js';
import type { WorkerAddress } from './worker-connections.js';

/** A scanner of the fleet, as a gateway knows it without asking its worker. */
export interface KnownScanner extends Named {
  readonly release: string;
}

/** What a gateway knows of these scanners, by their serial numbers. */
export function knownScanners(scanners: readonly ScannerFacts[]): ReadonlyMap<string, KnownScanner> {
  const known = scanners.map(({ serial, group, release = newestRelease }) => ({ serial, group, release }));
  return new Map(known.map((one) => [one.serial, one]));
}

/** Who runs which scanner. */
export interface Routes {
  /** All scanners, in the order of the fleet. */
  readonly scanners: ReadonlyMap<string, KnownScanner>;
  /** All workers that are there. */
  readonly workers: readonly WorkerAddress[];
  /** The worker that runs a scanner; undefined while none does. */
  workerOf(serial: string): WorkerAddress | undefined;
  /** Looks again who runs what. Fulfilled when something may have changed, or after a short while. */
  look(): Promise<void>;
}

/** ms between two tries of the same worker. They double, up to the longest. */
const shortestPause = 50;
const longestPause = 500;

/** When what waits for a worker is tried: at once with another one, and with the same one after pauses. */
export class Tries {
  #url: string | undefined;
  #again = 0;
  #nextAt = 0;

  /** May this worker be tried now? Then it counts as tried. */
  begin({ url }: WorkerAddress): boolean {
    const now = performance.now();
    if (url !== this.#url) this.#again = 0;
    else if (now < this.#nextAt) return false;
    else this.#again++;
    this.#url = url;
    this.#nextAt = now + doubledPause(shortestPause, this.#again, longestPause);
    return true;
  }
}
