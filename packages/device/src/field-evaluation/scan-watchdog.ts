import type { Clock } from '../interfaces/clock.js';
import type { Conditions } from '../lifecycle/conditions.js';
import { coreFault } from '../measuring/measuring.js';
import type { Scan } from '../scan/scan.js';

/** Scans are missing if none arrives for this many revolutions, and for at least this many ms. */
const revolutions = 10;
const shortestTimeout = 1000;
/** ms: half a microsecond, so that the rounding of the clock starts no timer. */
const tolerance = 0.0005;

interface Options {
  readonly clock: Clock;
  readonly conditions: Conditions;
  /** Called when scans become missing or arrive again, but not by `start` and `stop`. */
  readonly changed: () => void;
}

/**
 * Watches that scans arrive for the evaluation of fields, whose states are unknown without scans. Scans are missing if
 * none has arrived for too long, or if the measuring core fails, until the core works and a scan arrives.
 */
export class ScanWatchdog {
  readonly #options: Options;
  #expecting = false;
  #paused = false;
  #missing = false;
  /** ms of the monotonic clock. */
  #last = 0;
  #timeout = shortestTimeout;
  #cancel: (() => void) | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  get missing(): boolean {
    return this.#missing;
  }

  /** Expects scans from now on. */
  start(): void {
    if (this.#coreFails) this.#missing = true;
    if (this.#expecting) return;
    this.#expecting = true;
    this.#last = this.#options.clock.monotonic();
    this.#timeout = shortestTimeout;
    this.#check();
  }

  /** Expects no scans. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#expecting = false;
    this.#missing = false;
  }

  /** Does not count the time until `resume`, in which nothing is measured. */
  pause(): void {
    this.#paused = true;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  resume(): void {
    this.#paused = false;
    this.#last = this.#options.clock.monotonic();
    if (this.#expecting && this.#cancel === undefined) this.#check();
  }

  /** A scan has come. It starts a timer only if none is running, because there are up to 50 scans a second. */
  scanArrived({ geometry }: Scan): void {
    this.#last = this.#options.clock.monotonic();
    this.#timeout = Math.max(shortestTimeout, (revolutions * 1000) / geometry.frequency);
    this.#setMissing(this.#coreFails);
    if (this.#cancel === undefined) this.#check();
  }

  get #coreFails(): boolean {
    return this.#options.conditions.holdsFor('DS_RecoverableError', coreFault);
  }

  /** Checks again when the last scan will be too old. If scans are missing, only a new scan changes that. */
  #check(): void {
    this.#cancel = undefined;
    if (this.#missing || this.#paused) return;
    const left = this.#last + this.#timeout - this.#options.clock.monotonic();
    if (left <= tolerance) this.#setMissing(true);
    else this.#cancel = this.#options.clock.after(left, () => this.#check());
  }

  #setMissing(missing: boolean): void {
    if (missing === this.#missing) return;
    this.#missing = missing;
    this.#options.changed();
  }
}
