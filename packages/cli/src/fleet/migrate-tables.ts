import { migrate } from '@azimuth/fleet/database';
import type { StoreOptions } from '../database/database-options.js';
import { print } from '../output/output.js';
import { withDatabase } from './with-database.js';

const limits = {
  connections: 1,
  /** ms that one step of a migration may take: large tables may be rewritten. */
  statementMilliseconds: 3_600_000,
  /** ms that it waits for a table that others use: whoever comes behind it, as a save, waits as long. */
  lockMilliseconds: 5000,
};

/** `azimuth fleet migrate`: makes the tables of the database, or brings them up to date. */
export async function runMigrate(options: StoreOptions): Promise<void> {
  const migrated = await withDatabase(options, 'azimuth fleet migrate', limits, migrate);
  const { applied, version, shards, missingRoles } = migrated;
  const done =
    applied.length === 0 ? 'The tables are up to date' : `The tables were changed by ${applied.join(', ')}`;
  const roles =
    missingRoles.length === 0
      ? ''
      : ` The roles ${missingRoles.join(', ')} are missing: this user may not create them.`;
  await print(`${done}: version ${version}, ${shards} shards.${roles}\n`);
}
