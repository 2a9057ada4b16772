import { applyFleet, checkSchema, migrate } from '@azimuth/fleet/database';
import { databaseOf, fromDatabase, type StoreOptions } from '../database/database-options.js';
import { print } from '../output.js';
import { logTo } from '../serve/log.js';
import { packedFleet } from './applied-fleet.js';

interface ApplyOptions extends StoreOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const never = new AbortController().signal;

/** ms that one step of a migration may take: large tables may be rewritten. */
const migrationWithin = 3_600_000;

/** ms that it waits for a table that others use: whoever comes behind it, as a save, waits as long. */
const longestLock = 5000;

/** `azimuth fleet migrate`: makes the tables of the database, or brings them up to date. */
export async function runMigrate(options: StoreOptions): Promise<void> {
  const log = logTo('lines');
  const database = databaseOf(options, 'azimuth fleet migrate', log, {
    connections: 1,
    statementMilliseconds: migrationWithin,
    lockMilliseconds: longestLock,
  });
  try {
    const { applied, version, shards, missingRoles } = await fromDatabase(() => migrate(database));
    const done =
      applied.length === 0 ? 'The tables are up to date' : `The tables were changed by ${applied.join(', ')}`;
    const roles =
      missingRoles.length === 0
        ? ''
        : ` The roles ${missingRoles.join(', ')} are missing: this user may not create them.`;
    await print(`${done}: version ${version}, ${shards} shards.${roles}\n`, never);
  } finally {
    await database.close();
    await log.close();
  }
}

/** `azimuth fleet apply`: what the file says is what the workers run from now on. */
export async function runApply(path: string, options: ApplyOptions): Promise<void> {
  const { yaml, files, units } = await packedFleet(path);
  const scanners = units.map(({ serial, group }) => ({ serial, group }));
  if (options.dryRun === true) {
    await print(
      options.json === true
        ? `${JSON.stringify({ scanners: units.length, files: files.size })}\n`
        : `${path} is right: ${units.length} scanners, ${files.size} files. Nothing was applied.\n`,
      never,
    );
    return;
  }
  const log = logTo('lines');
  const database = databaseOf(options, 'azimuth fleet apply', log, { connections: 1 });
  try {
    const applied = await fromDatabase(async () => {
      await checkSchema(database);
      return applyFleet(database, { yaml, files, scanners });
    });
    const { version, added, removed, kept } = applied;
    const stays =
      removed === 0 ? '' : ' What a removed scanner has stored stays, and it finds it if it comes back.';
    await print(
      options.json === true
        ? `${JSON.stringify(applied)}\n`
        : `Version ${version} of the fleet: ${added} scanners added, ${removed} removed, ${kept} kept.${stays}\n`,
      never,
    );
  } finally {
    await database.close();
    await log.close();
  }
}
