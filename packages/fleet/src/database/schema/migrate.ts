import type { Database, Run } from '../database.js';
import { firstTables } from './001-first-tables.js';
import { grantRights } from './roles.js';
import { applyMissing, checkTables, type Migration, SchemaMismatch, tablesIn } from './versions.js';

/** All migrations, in their order. A released migration is never changed: the next one changes its tables. */
export const migrations: readonly Migration[] = [
  { number: 1, name: 'first tables', sql: firstTables, oldestProgram: 1 },
];

/** Shards of a new fleet. The number never changes: otherwise scanners would move. */
const defaultShards = 128;

/** Any number: a migration locks it. */
const lock = 7_429_816_205_371;

interface Migrated {
  /** Names of the missing migrations that were applied. */
  readonly applied: readonly string[];
  /** The current version of the tables. */
  readonly version: number;
  readonly shards: number;
  /** Roles that are missing, because the user may not create any. */
  readonly missingRoles: readonly string[];
}

/**
 * Brings the tables up to date. Several programs may do so at the same time: they wait for each other. If nothing is missing,
 * nothing changes.
 * @param shards of a new fleet, from 1 to 4,096
 * @throws SchemaMismatch if the tables are too new for this program, or have another number of shards
 */
export async function migrate(
  database: Database,
  { shards, list = migrations }: { readonly shards?: number; readonly list?: readonly Migration[] } = {},
): Promise<Migrated> {
  const schema = { name: 'azimuth', lock, migrations: list };
  const applied = await applyMissing(database, schema);
  return database.transaction(async (run) => {
    await run('SELECT pg_advisory_xact_lock($1)', [lock]);
    const number = await makeShards(run, shards);
    const missingRoles = await grantRights(run);
    const { version } = await tablesIn(run, schema);
    return { applied, version, shards: number, missingRoles };
  });
}

/**
 * @throws SchemaMismatch if the tables are missing, too old or too new for this program, or if the server acknowledges
 * commits that it could still lose
 */
export async function checkSchema(database: Database): Promise<void> {
  await checkTables(
    database,
    { name: 'azimuth', lock, migrations },
    'run azimuth fleet migrate as their owner',
  );
  // The setting for users that do not change it.
  const [setting] = await database.query<{ usual: string }>({
    name: 'azimuth-commit',
    text: `SELECT reset_val AS usual FROM pg_settings WHERE name = 'synchronous_commit'`,
  });
  if (setting?.usual === 'off')
    throw new SchemaMismatch(
      `${database.where} has synchronous_commit off: it would lose saves that were acknowledged. Switch it on`,
    );
}

async function makeShards(run: Run, wanted: number | undefined): Promise<number> {
  const [row] = await run<{ shards: number }>(
    'SELECT count(*)::integer AS shards FROM azimuth.shards WHERE serial IS NULL',
  );
  const shards = row?.shards ?? 0;
  if (shards > 0) {
    if (wanted === undefined || wanted === shards) return shards;
    throw new SchemaMismatch(`The fleet has ${shards} shards. Their number cannot be changed to ${wanted}`);
  }
  const number = wanted ?? defaultShards;
  if (!Number.isInteger(number) || number < 1 || number > 4096)
    throw new RangeError(`a fleet has 1 to 4,096 shards, not ${number}`);
  await run('INSERT INTO azimuth.shards (shard) SELECT * FROM generate_series(0, $1::integer - 1)', [number]);
  return number;
}
