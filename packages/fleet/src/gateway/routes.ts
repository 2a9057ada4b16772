import { newestRelease } from '@azimuth/model';
import type { Named, ScannerFacts } from '../scanners/scanner-facts.js';
import type { WorkerAddress } from './worker-connections.js';

/** A scanner of the fleet, as a gateway knows it without asking its worker. */
export interface KnownScanner extends Named {
  readonly release: string;
}

/** What a gateway knows of these scanners, by their serial numbers. */
export function knownScanners(units: readonly ScannerFacts[]): ReadonlyMap<string, KnownScanner> {
  const known = units.map(({ serial, group, release = newestRelease }) => ({ serial, group, release }));
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
