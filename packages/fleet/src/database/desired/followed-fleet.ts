import type { Log } from '@azimuth/device';
import type { Database } from '../database.js';
import { DatabaseAway } from '../database-errors.js';
import { type DesiredScanners, desiredScanners, noScanners, type ReadFleet } from './desired-scanners.js';

interface Options {
  readonly database: Database;
  readonly log: Log;
  readonly read: ReadFleet;
}

/** The fleet that was applied last. One that cannot be read changes nothing: the one before it stays. */
export class FollowedFleet {
  readonly #options: Options;
  #current: DesiredScanners = noScanners;
  #isUnreadable = false;

  constructor(options: Options) {
    this.#options = options;
  }

  get current(): DesiredScanners {
    return this.#current;
  }

  /**
   * Reads the fleet that was applied last, if it is not the current one.
   * @throws DatabaseAway, and, if there is no fleet yet, what `read` throws
   */
  async look(): Promise<void> {
    const { database, read, log } = this.#options;
    try {
      this.#current = await desiredScanners(database, read, this.#current);
      this.#isUnreadable = false;
    } catch (error) {
      if (error instanceof DatabaseAway || this.#current === noScanners) throw error;
      if (!this.#isUnreadable)
        log.error('The fleet that was applied cannot be followed', { reason: String(error) });
      this.#isUnreadable = true;
    }
  }
}
