import type { Log } from '@azimuth/device';
import { DatabaseAway, DatabaseRefused } from './database-errors.js';

/** Logs once that a database does not answer, and why it refuses, however often that is noticed; then that it answers again. */
export class OutageLog {
  readonly #log: Log;
  #isAway = false;
  /** Of the last failure. */
  #reason: string | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** The database has not answered the last time, or has refused. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** @param what was not done */
  failed(error: unknown, what: string): void {
    const reason = String(error);
    // How it is silent may differ each time.
    const isKnown = error instanceof DatabaseAway ? this.#isAway : reason === this.#reason;
    if (!isKnown) this.#log.error(what, { reason });
    this.#reason = reason;
    if (error instanceof DatabaseAway || error instanceof DatabaseRefused) this.#isAway = true;
  }

  answered(): void {
    if (this.#isAway) this.#log.info('The database answers again');
    this.#isAway = false;
    this.#reason = undefined;
  }
}
