import type { Database, DatabaseOptions } from '@azimuth/fleet/database';
import { databaseOf, fromDatabase, type StoreOptions } from '../database/database-options.js';
import { logTo } from '../serve/log.js';

/**
 * Does a piece of work with the database of a fleet, and closes it.
 * @param program as the database lists it
 * @throws CommandFailure if there is no database, or it refuses the work
 */
export async function withDatabase<T>(
  options: StoreOptions,
  program: string,
  limits: Partial<Omit<DatabaseOptions, 'url' | 'program' | 'log'>>,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const log = logTo('lines');
  const database = databaseOf(options, program, log, limits);
  try {
    return await fromDatabase(() => work(database));
  } finally {
    await database.close();
    await log.close();
  }
}
