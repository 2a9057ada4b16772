import {
  applyMissing,
  checkTables,
  type Database,
  grantRightsIn,
  type Schema,
  SchemaMismatch,
} from '@azimuth/fleet/database';
import { logGrants, logMigrations, logSchema } from './log-tables.js';

/** Any number: a migration locks it. */
const schema: Schema = { name: logSchema, lock: 7_429_816_205_372, migrations: logMigrations };

/** @throws SchemaMismatch if the tables of the log are missing, too old or too new for this program */
export function checkLogTables(database: Database): Promise<void> {
  return checkTables(database, schema, 'start azimuth monitor once as their owner');
}

/**
 * Makes the tables of the log, or brings them up to date, if this user may. Several monitors may do so at the same time.
 * @returns roles that are missing, because the user may not create any
 * @throws SchemaMismatch if the tables are too new for this program; DatabaseRefused if the user may not make them
 */
export async function prepareLogTables(database: Database): Promise<readonly string[]> {
  try {
    await checkLogTables(database);
    return [];
  } catch (error) {
    if (!(error instanceof SchemaMismatch)) throw error;
  }
  await applyMissing(database, schema);
  return database.transaction(async (run) => {
    await run('SELECT pg_advisory_xact_lock($1)', [schema.lock]);
    return grantRightsIn(run, logSchema, logGrants);
  });
}
