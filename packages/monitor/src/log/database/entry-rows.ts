import type { Database } from '@azimuth/fleet/database';
import { entryIn } from '../entry-from-json.js';
import type { LogEntry } from '../log-entry.js';
import { type StorableEntry, storableEntry } from '../storable-entry.js';

/** Stores an entry once, however often it is sent. */
const insert = {
  name: 'azimuth-log-insert',
  text: `INSERT INTO azimuth_log.entries (id, monitor, at, kind, scanner, serial, entry)
    SELECT value ->> 'id', $1, to_timestamp((value ->> 'at')::numeric / 1000), value ->> 'kind',
      value ->> 'scanner', value ->> 'serial', value
    FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS each (value, place) ORDER BY place
    ON CONFLICT (id) DO NOTHING`,
};

/**
 * Stores entries in their order. When it resolves, they are committed.
 * @param monitor its name; empty for entries of commands
 * @throws DatabaseUnavailable, DatabaseRefused; then none or all of them are stored
 */
export async function insertEntries(
  database: Pick<Database, 'query'>,
  monitor: string,
  entries: readonly LogEntry[],
): Promise<void> {
  await database.query(insert, [monitor, JSON.stringify(entries.map(storableEntry))]);
}

export type EntryRow = {
  readonly number: string;
  readonly transaction: string;
  /** As PostgreSQL writes it, to the microsecond: the place of the row in the order of times. */
  readonly time: string;
  readonly entry: unknown;
};

/** The columns that statements select. */
export const entryColumns = `number::text AS number, transaction::text AS transaction,
  at::text AS time, entry`;

/** Returns the entry of a row; undefined if somebody else has written something else into it. */
export function entryOfRow({ entry }: EntryRow): StorableEntry | undefined {
  return entryIn(entry);
}
