import { doubledPause } from '@azimuth/async';
import { type Database, DatabaseRefused, DatabaseUnavailable } from '@azimuth/fleet/database';
import type { MonitorClock } from '../../clock.js';
import type { LogEntry } from '../log-entry.js';
import { type LogCounts, type LogQuery, type LogStore, NotStored } from '../log-store.js';
import { DatabaseReader } from './database-reader.js';
import { insertEntries } from './entry-rows.js';
import { prepareLogTables } from './log-schema.js';
import { Spool } from './spool.js';

export interface DatabaseLogOptions {
  readonly database: Database;
  /** Folder for entries that are not in the database yet. */
  readonly folder: string;
  /** Name of this monitor in the database: two monitors never share one. */
  readonly monitor: string;
  readonly keepDays: number;
  readonly clock: MonitorClock;
  /** Gets one line for people about each trouble, and about its end. */
  readonly report: (text: string) => void;
  /** Bytes of entries that may wait on disk; 256 MiB by default. */
  readonly spoolBytes?: number | undefined;
}

const firstPause = 200;
const longestPause = 15_000;
/** Longest ms in which the database has to answer at the start. */
const longestStart = 60_000;
/** Longest ms for entries to reach the database at the end. The next start sends the others. */
const longestEnd = 5000;
/** Old entries are looked for this often, in ms, and removed so many at once. */
const removalInterval = 3_600_000;
const mostRemoved = 10_000;

const removal = {
  name: 'azimuth-log-remove',
  text: 'SELECT azimuth_log.remove_old($1, $2, $3)::integer AS removed',
};

/**
 * The lasting log in a PostgreSQL database. Each entry is first on disk, in a folder, and from there it goes to the database:
 * while that is away, and after a kill of this process, nothing is lost. The id of each entry keeps it from being stored twice.
 */
export class DatabaseLog implements LogStore {
  readonly #options: DatabaseLogOptions;
  readonly #spool: Spool;
  readonly #closing = new AbortController();
  readonly #sending: Promise<void>;
  readonly #isCaughtUp: Promise<void>;
  #caughtUp: () => void = () => undefined;
  #appended: () => void = () => undefined;
  #stored = 0;
  #waiting = 0;
  #lost = 0;
  #failures = 0;
  #isClosing = false;
  #removedAt = Number.NEGATIVE_INFINITY;

  private constructor(options: DatabaseLogOptions, spool: Spool) {
    this.#options = options;
    this.#spool = spool;
    this.#isCaughtUp = new Promise((resolve) => {
      this.#caughtUp = resolve;
    });
    this.#sending = this.#send();
  }

  /**
   * Opens the log, and makes its tables if they are missing. Entries that an earlier process has not sent are sent first.
   * @throws DatabaseUnavailable if the database does not answer within a minute; SchemaMismatch, DatabaseRefused;
   * FolderInUse if another process has the folder
   */
  static async open(options: DatabaseLogOptions): Promise<DatabaseLog> {
    const { database, folder, clock, report } = options;
    const missing = await answered(() => prepareLogTables(database), clock);
    if (missing.length > 0)
      report(`the roles ${missing.join(', ')} are missing in the database: this user may not create them`);
    const log = new DatabaseLog(options, await Spool.open({ folder, clock, report }));
    // The database then has all that an earlier process has told anybody.
    await log.#isCaughtUp;
    return log;
  }

  get counts(): LogCounts {
    return { stored: this.#stored, waiting: this.#waiting, lost: this.#lost + this.#spool.lost };
  }

  async append(entry: LogEntry): Promise<void> {
    const { spoolBytes = 256 * 1024 * 1024, database } = this.#options;
    if (this.#spool.bytes >= spoolBytes) {
      this.#lost += 1;
      throw new NotStored(`${database.where} is away, and ${spoolBytes} bytes of entries wait for it`);
    }
    await this.#spool.append(entry);
    this.#waiting += 1;
    this.#appended();
  }

  /** @throws DatabaseUnavailable, also at once while the database is away */
  read(query: LogQuery): AsyncGenerator<LogEntry> {
    const { database, monitor } = this.#options;
    if (this.#failures > 0) throw new DatabaseUnavailable(database.where, 'it did not at the last attempt');
    return new DatabaseReader(database, monitor).next(query);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#appended();
    const patience = new AbortController();
    await Promise.race([this.#sending, this.#options.clock.pause(longestEnd, patience.signal)]);
    patience.abort();
    this.#closing.abort();
    await this.#sending;
    await this.#spool.close();
    await this.#options.database.close();
  }

  /** Sends until the end: what is on disk, and then what is appended. */
  async #send(): Promise<void> {
    const { clock, report } = this.#options;
    const { signal } = this.#closing;
    for (let isLast = false; !isLast && !signal.aborted; ) {
      const appended = new Promise<void>((resolve) => {
        this.#appended = resolve;
      });
      isLast = this.#isClosing;
      try {
        await this.#sendSpool();
        this.#caughtUp();
      } catch (error) {
        report(`entries for the database cannot be read from the disk: ${String(error)}`);
        await clock.pause(longestPause, signal);
        continue;
      }
      await this.#removeOld();
      if (!this.#isClosing) await appended;
    }
  }

  /** @throws errors of the system if the folder cannot be read */
  async #sendSpool(): Promise<void> {
    for await (const batch of this.#spool.batches()) {
      await this.#sendForEver(batch);
      if (this.#closing.signal.aborted) return;
      this.#stored += batch.length;
      this.#waiting = Math.max(0, this.#waiting - batch.length);
    }
  }

  async #sendForEver(batch: readonly LogEntry[]): Promise<void> {
    const { database, clock, report } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        await this.#insert(batch);
        if (this.#failures > 0) report(`${database.where} has the log again`);
        this.#failures = 0;
        return;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (this.#failures === 0) report(`${reason}. Entries of the log wait on disk, and it is tried again`);
        this.#failures += 1;
        await clock.pause(doubledPause(firstPause, this.#failures - 1, longestPause), signal);
      }
    }
  }

  async #insert(batch: readonly LogEntry[]): Promise<void> {
    const { database, monitor } = this.#options;
    try {
      await insertEntries(database, monitor, batch);
    } catch (error) {
      if (!isAboutContent(error)) throw error;
      const [only, ...others] = batch;
      if (only === undefined) return;
      if (others.length > 0) for (const entry of batch) await this.#insert([entry]);
      else await insertEntries(database, monitor, [refused(only, error)]);
    }
  }

  async #removeOld(): Promise<void> {
    const { database, monitor, keepDays, clock, report } = this.#options;
    if (clock.now() - this.#removedAt < removalInterval) return;
    this.#removedAt = clock.now();
    try {
      for (let removed = mostRemoved; removed >= mostRemoved; ) {
        const [row] = await database.query<{ removed: number }>(removal, [monitor, keepDays, mostRemoved]);
        removed = row?.removed ?? 0;
      }
    } catch (error) {
      // It is tried again in an hour; if the database is away, the next entry reports it.
      if (!(error instanceof DatabaseUnavailable))
        report(`old entries cannot be removed from the database: ${String(error)}`);
    }
  }
}

/** Repeats an action until the database answers. @throws DatabaseUnavailable if it does not in time; other errors at once */
async function answered<T>(act: () => Promise<T>, clock: MonitorClock): Promise<T> {
  const end = clock.now() + longestStart;
  for (let failures = 0; ; failures++) {
    try {
      return await act();
    } catch (error) {
      const wait = doubledPause(firstPause, failures, 5000);
      if (!(error instanceof DatabaseUnavailable) || clock.now() + wait > end) throw error;
      await clock.pause(wait);
    }
  }
}

/** True for a refusal because of what is in an entry: a text that the database cannot keep (class 22), or too much (54). */
function isAboutContent(error: unknown): boolean {
  return error instanceof DatabaseRefused && /^(22|54)/.test(error.sqlState);
}

/** The entry that takes the place of one that the database cannot keep. */
function refused({ id, at, scanner, kind }: LogEntry, error: unknown): LogEntry {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    ...{ id, at, scanner, kind: 'monitor' },
    text: `an entry of the kind ${kind} is lost: ${reason}`,
  };
}
