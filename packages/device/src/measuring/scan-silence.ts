import type { Clock } from '../interfaces/clock.js';

/** ms: half a microsecond, so that the rounding of the clock starts no timer. */
const tolerance = 0.0005;
/** ms: a check that is later than this was kept waiting by a busy process. */
const late = 5;

interface Options {
  readonly clock: Clock;
  /** Called when no scan has come for the expected time. */
  readonly silent: () => void;
}

/**
 * Watches that scans come. If the process was too busy to look in time, scans may wait, too: then it looks once more after the
 * same time.
 */
export class ScanSilence {
  readonly #options: Options;
  /** ms. */
  #timeout = 0;
  /** When (ms of the monotonic clock) it becomes silent. */
  #due = 0;
  #isLate = false;
  #cancel: (() => void) | undefined;
  readonly #checked = () => this.#check();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Expects a scan in so much time (ms) at the latest, and after `first` the first time. */
  expect(timeout: number, first = timeout): void {
    this.end();
    this.#timeout = timeout;
    this.#due = this.#now + first;
    this.#schedule(first);
  }

  /** A scan has come. It starts a timer only if none is running, because there are up to 50 scans a second. */
  heard(): void {
    this.#due = this.#now + this.#timeout;
    this.#isLate = false;
    if (this.#cancel === undefined) this.#schedule(this.#timeout);
  }

  /** Expects no scans. */
  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#isLate = false;
  }

  get #now(): number {
    return this.#options.clock.monotonic();
  }

  #schedule(wait: number): void {
    this.#cancel = this.#options.clock.after(wait, this.#checked);
  }

  #check(): void {
    this.#cancel = undefined;
    const left = this.#due - this.#now;
    if (left > tolerance) {
      this.#schedule(left);
      return;
    }
    if (-left > late && !this.#isLate) {
      this.#isLate = true;
      this.#due = this.#now + this.#timeout;
      this.#schedule(this.#timeout);
      return;
    }
    this.#options.silent();
  }
}
