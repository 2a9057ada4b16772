import type { LogEntry } from './log-entry.js';

/** Which entries to read. All that are given have to match. */
export interface LogQuery {
  /** Milliseconds since 1970-01-01 UTC; entries from then on. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** True for the names of scanners whose entries are wanted. */
  readonly scanner?: ((name: string) => boolean) | undefined;
  readonly kinds?: readonly LogEntry['kind'][] | undefined;
  /** Pattern of parameter paths, with `*`. */
  readonly parameter?: string | undefined;
  /** Pattern of identifiers of conditions, with `*`. */
  readonly condition?: string | undefined;
  /** True for the entries that are wanted. What it throws ends the reading. */
  readonly entry?: ((entry: LogEntry) => boolean) | undefined;
  /** Only so many: the last ones. */
  readonly limit?: number | undefined;
}

/** Counts of the entries of a store since it was opened. */
export interface LogCounts {
  readonly stored: number;
  /** Entries that are not on disk yet. */
  readonly waiting: number;
  /** Entries that were dropped, because too many were waiting. */
  readonly lost: number;
}

/** An entry is not on disk: it waits and is tried again, or it is lost. The message says why. */
export class NotStored extends Error {
  override readonly name = 'NotStored';
}

/** Where the lasting log is: a folder, or a database. */
export interface LogStore {
  /**
   * Resolves when the entry is on disk: then it is never lost. Entries are stored in the order of the calls.
   * @throws NotStored if that fails for a while. The entry stays in the queue, if that is not full
   */
  append(entry: LogEntry): Promise<void>;
  /** Yields entries day by day, and within a day in the order in which they were stored. */
  read(query: LogQuery): AsyncIterable<LogEntry>;
  readonly counts: LogCounts;
  /** Waits for entries that are being stored. */
  close(): Promise<void>;
}
