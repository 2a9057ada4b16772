import { BadDatabaseUrl, Database } from '@azimuth/fleet/database';
import type { CommandEntry, LogStore } from '@azimuth/monitor';
import {
  checkLogTables,
  DatabaseLog,
  type DatabaseLogOptions,
  DatabaseReader,
  insertEntries,
} from '@azimuth/monitor/database';
import { CommandFailure } from '../command-failure.js';
import { fromDatabase } from '../database/database-options.js';
import type { LogReader } from './log-reader.js';

/** Opens the log of a monitor in a database. @throws CommandFailure if the database is away, or refuses */
export function openDatabaseLog(
  store: string,
  options: Omit<DatabaseLogOptions, 'database'>,
): Promise<LogStore> {
  const database = databaseAt(store, 'azimuth monitor');
  return fromDatabase(async () => {
    try {
      return await DatabaseLog.open({ ...options, database });
    } catch (error) {
      await database.close();
      throw error;
    }
  });
}

/** Opens the log in a database for reading. @throws CommandFailure if the database is away, or has no log */
export async function databaseReader(store: string): Promise<LogReader> {
  const database = databaseAt(store, 'azimuth log');
  try {
    await fromDatabase(() => checkLogTables(database));
  } catch (error) {
    await database.close();
    throw error;
  }
  const reader = new DatabaseReader(database);
  return {
    next: async function* (query) {
      const entries = reader.next(query);
      for (;;) {
        const { value, done } = await fromDatabase(() => entries.next());
        if (done === true) return;
        yield value;
      }
    },
    close: () => database.close(),
  };
}

/** Appends what a command did. @throws DatabaseUnavailable, DatabaseRefused */
export async function appendToDatabase(store: string, entries: readonly CommandEntry[]): Promise<void> {
  const database = databaseAt(store, 'azimuth, commands');
  try {
    await insertEntries(database, '', entries);
  } finally {
    await database.close();
  }
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** @param program its name in the database @throws CommandFailure for a wrong URL */
function databaseAt(url: string, program: string): Database {
  try {
    // A lost connection is opened again; what fails is reported where it matters.
    return new Database({ url, program, log: silent, connections: 2 });
  } catch (error) {
    if (error instanceof BadDatabaseUrl) throw new CommandFailure(`--store: ${error.message}`);
    throw error;
  }
}
