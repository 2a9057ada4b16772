import type { Named } from '../units/pattern.js';
import type { WorkerAddress } from './worker-connections.js';

/** A scanner of the fleet, as a gateway knows it without asking its worker. */
export interface KnownScanner extends Named {
  readonly release: string;
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
