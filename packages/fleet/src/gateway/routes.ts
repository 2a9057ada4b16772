import { atMost, doubledPause } from '@azimuth/async';
import { newestRelease } from '@azimuth/model';
import { isReal, type MemberFacts } from '../adopted/real-facts.js';
import type { Named } from '../scanners/scanner-facts.js';
import type { WorkerAddress } from './worker-connections.js';

/** A scanner of the fleet, as known to a gateway without its worker. */
export interface KnownScanner extends Named {
  /** The delivered release; empty for a real scanner. */
  readonly release: string;
  readonly isReal?: true | undefined;
}

/** Returns the facts about these scanners, by their serial numbers. */
export function knownScanners(scanners: readonly MemberFacts[]): ReadonlyMap<string, KnownScanner> {
  return new Map(scanners.map((facts) => [facts.serial, knownOf(facts)]));
}

function knownOf(facts: MemberFacts): KnownScanner {
  const { serial, group } = facts;
  if (isReal(facts)) return { serial, group, release: '', isReal: true };
  return { serial, group, release: facts.release ?? newestRelease };
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

/**
 * The attempts to find the worker of a scanner, which may be moving from one worker to another: another worker is tried at
 * once, the same one after pauses.
 */
export class WorkerAttempts {
  readonly #routes: Routes;
  readonly #serial: string;
  /** Time of the monotonic clock at which the patience ends. */
  readonly #until: number;
  #url: string | undefined;
  #again = 0;
  #nextAt = 0;

  /** @param patience ms until the last attempt */
  constructor(routes: Routes, serial: string, patience: number) {
    this.#routes = routes;
    this.#serial = serial;
    this.#until = performance.now() + patience;
  }

  /**
   * Returns the worker of the scanner if it may be tried now, and counts it as tried. Undefined if no worker has the scanner;
   * `later` if its worker may not be tried yet.
   */
  next(): WorkerAddress | 'later' | undefined {
    const worker = this.#routes.workerOf(this.#serial);
    return worker === undefined || this.#begin(worker) ? worker : 'later';
  }

  /** Waits until something may have changed. Fulfilled with false if the patience has ended before. */
  async mayGoOn(): Promise<boolean> {
    if (performance.now() > this.#until) return false;
    // If the database does not respond, this wait ends, too.
    await atMost(this.#until - performance.now(), this.#routes.refresh());
    return true;
  }

  #begin({ url }: WorkerAddress): boolean {
    const now = performance.now();
    if (url !== this.#url) this.#again = 0;
    else if (now < this.#nextAt) return false;
    else this.#again++;
    this.#url = url;
    this.#nextAt = now + doubledPause(shortestPause, this.#again, longestPause);
    return true;
  }
}
