import { doubledPause } from '@azimuth/async';
import { newestRelease } from '@azimuth/model';
import type { Named, ScannerFacts } from '../scanners/scanner-facts.js';
import type { WorkerAddress } from './worker-connections.js';

/** A scanner of the fleet, as known to a gateway without its worker. */
export interface KnownScanner extends Named {
  readonly release: string;
}

/** Returns the facts about these scanners, by their serial numbers. */
export function knownScanners(scanners: readonly ScannerFacts[]): ReadonlyMap<string, KnownScanner> {
  const known = scanners.map(({ serial, group, release = newestRelease }) => ({ serial, group, release }));
  return new Map(known.map((one) => [one.serial, one]));
}

/** Knows which worker runs which scanner. */
export interface Routes {
  /** All scanners, in the order of the fleet. */
  readonly scanners: ReadonlyMap<string, KnownScanner>;
  /** All current workers. */
  readonly workers: readonly WorkerAddress[];
  /** Returns the worker that runs a scanner; undefined while there is none. */
  workerOf(serial: string): WorkerAddress | undefined;
  /** Reads again which worker runs which scanner. Fulfilled when something may have changed, or after a short while. */
  refresh(): Promise<void>;
}

/** ms between two attempts with the same worker. They double, up to the longest. */
const shortestPause = 50;
const longestPause = 500;

/** Decides when a worker is tried: another worker at once, the same one after pauses. */
export class WorkerAttempts {
  #url: string | undefined;
  #again = 0;
  #nextAt = 0;

  /** Returns true if this worker may be tried now, and counts it as tried. */
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
