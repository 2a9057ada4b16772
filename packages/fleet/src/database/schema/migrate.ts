import type { Database, Run } from '../database.js';
import { DatabaseRefused } from '../database-errors.js';
import { firstTables } from './001-first-tables.js';
import { grantRights } from './roles.js';

export interface Migration {
  /** From 1 on, without a gap. */
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  /**
   * The oldest program that works with the tables after this migration, by the number of migrations that it knows. If a
   * migration only adds, this number stays. If it removes something, the number rises to a program that no longer uses it.
   */
  readonly oldestProgram: number;
}

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

/** The tables do not fit this program. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch';
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
  const applied: string[] = [];
  for (;;) {
    const name = await database.transaction((run) => applyNext(run, list));
    if (name === undefined) break;
    applied.push(name);
  }
  return database.transaction(async (run) => {
    await run('SELECT pg_advisory_xact_lock($1)', [lock]);
    const number = await makeShards(run, shards);
    const missingRoles = await grantRights(run);
    const { version } = await tablesIn(run, list.length);
    return { applied, version, shards: number, missingRoles };
  });
}

/**
 * @throws SchemaMismatch if the tables are missing, too old or too new for this program, or if the server acknowledges
 * commits that it could still lose
 */
export async function checkSchema(database: Database): Promise<void> {
  const needed = migrations.length;
  const tables = await readTables(database);
  if (tables === undefined)
    throw new SchemaMismatch(
      `${database.where} has no tables of Azimuth, or this user may not see them: run azimuth fleet migrate as their owner`,
    );
  if (tables.version < needed)
    throw new SchemaMismatch(
      `${database.where} has tables of version ${tables.version}, and this program needs version ${needed}: migrate them first, as their owner`,
    );
  if (tables.oldestProgram > needed)
    throw new SchemaMismatch(`${database.where} has ${tooNew(tables, needed)}`);
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

type Tables = {
  readonly version: number;
  /** The oldest program that works with the tables, by the migrations that it knows. */
  readonly oldestProgram: number;
};

/** If a migration is older than this column, no older program works with it. */
const versions = `SELECT coalesce(max(number), 0) AS version,
  coalesce(max(coalesce((to_jsonb(migrations) ->> 'oldest_program')::integer, number)), 0) AS "oldestProgram"
  FROM azimuth.migrations`;

function tooNew({ version, oldestProgram }: Tables, known: number): string {
  return `tables of version ${version}, which need a program that knows version ${oldestProgram}, and this program knows only version ${known}: use a newer Azimuth`;
}

/** @throws SchemaMismatch if this program does not work with the tables */
async function tablesIn(run: Run, known: number): Promise<Tables> {
  const [tables = { version: 0, oldestProgram: 0 }] = await run<Tables>(versions);
  if (tables.oldestProgram > known) throw new SchemaMismatch(`There are ${tooNew(tables, known)}`);
  return tables;
}

/** Reads the tables. @returns undefined if there are none, or if this user may not see them */
async function readTables(database: Database): Promise<Tables | undefined> {
  try {
    const [tables] = await database.query<Tables>({ name: 'azimuth-version', text: versions });
    return tables;
  } catch (error) {
    // No such schema, no such table, no right to see it.
    const isMissing =
      error instanceof DatabaseRefused && ['3F000', '42P01', '42501'].includes(error.sqlState);
    if (!isMissing) throw error;
    return undefined;
  }
}

/** Applies the next migration. @returns its name; undefined if none is missing */
async function applyNext(run: Run, list: readonly Migration[]): Promise<string | undefined> {
  await run('SELECT pg_advisory_xact_lock($1)', [lock]);
  // A user of a schema may have no right to create one.
  const [schema] = await run<{ exists: boolean }>(`SELECT to_regnamespace('azimuth') IS NOT NULL AS exists`);
  if (schema?.exists !== true) await run('CREATE SCHEMA azimuth');
  await run(`CREATE TABLE IF NOT EXISTS azimuth.migrations (
    number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    oldest_program integer)`);
  const { version } = await tablesIn(run, list.length);
  const next = list[version];
  if (next === undefined) return undefined;
  // The first versions had no such column.
  await run('ALTER TABLE azimuth.migrations ADD COLUMN IF NOT EXISTS oldest_program integer');
  await run(next.sql);
  await run('INSERT INTO azimuth.migrations (number, name, oldest_program) VALUES ($1, $2, $3)', [
    next.number,
    next.name,
    next.oldestProgram,
  ]);
  return next.name;
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
