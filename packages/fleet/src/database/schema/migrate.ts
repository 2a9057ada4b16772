import type { Database, Run } from '../database.js';
import { DatabaseRefused } from '../database-errors.js';
import { type Migration, migrations } from './migrations.js';
import { grantRights } from './roles.js';

/** Shards of a new fleet. Their number stays: scanners would move otherwise. */
const usualShards = 128;

/** Any number: whoever migrates locks it. */
const lock = 7_429_816_205_371;

export interface Migrated {
  /** Names of the migrations that were missing. */
  readonly applied: readonly string[];
  /** The version that the tables have now. */
  readonly version: number;
  readonly shards: number;
  /** Roles that are missing, because the user may not create any. */
  readonly missingRoles: readonly string[];
}

/** The tables are not those that this program needs. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch';
}

/**
 * Brings the tables up to date. Several may do so at the same time: they wait for each other. What is up to date stays.
 * @param shards of a new fleet, from 1 to 4,096
 * @throws SchemaMismatch if the tables are newer than this program, or have another number of shards
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
    return { applied, version: list.length, shards: number, missingRoles };
  });
}

/**
 * @throws SchemaMismatch if the tables are missing, older or newer than this program needs them, or if the server
 * acknowledges what it could still lose
 */
export async function checkSchema(database: Database): Promise<void> {
  const version = await versionIn(database);
  const needed = migrations.length;
  if (version === undefined)
    throw new SchemaMismatch(
      `${database.where} has no tables of Azimuth, or this user may not see them: run azimuth fleet migrate as their owner`,
    );
  if (version < needed)
    throw new SchemaMismatch(
      `${database.where} has tables of version ${version}, and this program needs version ${needed}: migrate them first, as their owner`,
    );
  if (version > needed)
    throw new SchemaMismatch(
      `${database.where} has tables of version ${version}, and this program knows only version ${needed}: use a newer Azimuth`,
    );
  // What it is for whoever does not set it.
  const [setting] = await database.query<{ usual: string }>({
    name: 'azimuth-commit',
    text: `SELECT reset_val AS usual FROM pg_settings WHERE name = 'synchronous_commit'`,
  });
  if (setting?.usual === 'off')
    throw new SchemaMismatch(
      `${database.where} has synchronous_commit off: it would lose saves that were acknowledged. Switch it on`,
    );
}

async function versionIn(database: Database): Promise<number | undefined> {
  try {
    const [row] = await database.query<{ version: number | null }>({
      name: 'azimuth-version',
      text: 'SELECT max(number) AS version FROM azimuth.migrations',
    });
    return row?.version ?? undefined;
  } catch (error) {
    // No such schema, no such table, no right to see it.
    const isMissing =
      error instanceof DatabaseRefused && ['3F000', '42P01', '42501'].includes(error.sqlState);
    if (!isMissing) throw error;
    return undefined;
  }
}

/** @returns the name of what was applied; undefined if nothing is missing */
async function applyNext(run: Run, list: readonly Migration[]): Promise<string | undefined> {
  await run('SELECT pg_advisory_xact_lock($1)', [lock]);
  // Whoever may use a schema need not have the right to create one.
  const [schema] = await run<{ exists: boolean }>(`SELECT to_regnamespace('azimuth') IS NOT NULL AS exists`);
  if (schema?.exists !== true) await run('CREATE SCHEMA azimuth');
  await run(`CREATE TABLE IF NOT EXISTS azimuth.migrations (
    number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT clock_timestamp())`);
  const [row] = await run<{ version: number }>(
    'SELECT coalesce(max(number), 0) AS version FROM azimuth.migrations',
  );
  const version = row?.version ?? 0;
  if (version > list.length)
    throw new SchemaMismatch(
      `The tables have version ${version}, and this program knows only version ${list.length}: use a newer Azimuth`,
    );
  const next = list[version];
  if (next === undefined) return undefined;
  await run(next.sql);
  await run('INSERT INTO azimuth.migrations (number, name) VALUES ($1, $2)', [next.number, next.name]);
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
  const number = wanted ?? usualShards;
  if (!Number.isInteger(number) || number < 1 || number > 4096)
    throw new RangeError(`a fleet has 1 to 4,096 shards, not ${number}`);
  await run('INSERT INTO azimuth.shards (shard) SELECT * FROM generate_series(0, $1::integer - 1)', [number]);
  return number;
}
