import type { Database, Run } from '../database.js';
import { DatabaseRefused } from '../database-errors.js';

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

/** Tables of one kind in a schema of their own, and how they came to be. */
export interface Schema {
  /** The name of the schema in the database. */
  readonly name: string;
  /** Any number: a migration locks it. */
  readonly lock: number;
  /** All migrations, in their order. A released migration is never changed: the next one changes its tables. */
  readonly migrations: readonly Migration[];
}

/** The tables do not fit this program. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch';
}

export type Tables = {
  readonly version: number;
  /** The oldest program that works with the tables, by the migrations that it knows. */
  readonly oldestProgram: number;
};

/** If a migration is older than this column, no older program works with it. */
function versionsIn(schema: string): string {
  return `SELECT coalesce(max(number), 0) AS version,
  coalesce(max(coalesce((to_jsonb(migrations) ->> 'oldest_program')::integer, number)), 0) AS "oldestProgram"
  FROM ${schema}.migrations`;
}

/**
 * Applies the missing migrations, each in a transaction. Several programs may do so at the same time: they wait for each
 * other.
 * @returns the names of those that were missing
 * @throws SchemaMismatch if the tables are too new for this program
 */
export async function applyMissing(database: Database, schema: Schema): Promise<readonly string[]> {
  const applied: string[] = [];
  for (;;) {
    const name = await database.transaction((run) => applyNext(run, schema));
    if (name === undefined) return applied;
    applied.push(name);
  }
}

/** @throws SchemaMismatch if this program does not work with the tables */
export async function tablesIn(run: Run, { name, migrations }: Schema): Promise<Tables> {
  const [tables = { version: 0, oldestProgram: 0 }] = await run<Tables>(versionsIn(name));
  if (tables.oldestProgram > migrations.length)
    throw new SchemaMismatch(`There are ${tooNew(tables, migrations.length)}`);
  return tables;
}

/**
 * @param remedy how missing tables are made, as a text that follows a colon
 * @throws SchemaMismatch if the tables are missing, too old or too new for this program
 */
export async function checkTables(database: Database, schema: Schema, remedy: string): Promise<void> {
  const needed = schema.migrations.length;
  const tables = await readTables(database, schema);
  if (tables === undefined)
    throw new SchemaMismatch(
      `${database.where} has no tables of Azimuth, or this user may not see them: ${remedy}`,
    );
  if (tables.version < needed)
    throw new SchemaMismatch(
      `${database.where} has tables of version ${tables.version}, and this program needs version ${needed}: migrate them first, as their owner`,
    );
  if (tables.oldestProgram > needed)
    throw new SchemaMismatch(`${database.where} has ${tooNew(tables, needed)}`);
}

function tooNew({ version, oldestProgram }: Tables, known: number): string {
  return `tables of version ${version}, which need a program that knows version ${oldestProgram}, and this program knows only version ${known}: use a newer Azimuth`;
}

/** Reads the tables. @returns undefined if there are none, or if this user may not see them */
async function readTables(database: Database, { name }: Schema): Promise<Tables | undefined> {
  try {
    const [tables] = await database.query<Tables>({ name: `${name}-version`, text: versionsIn(name) });
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
async function applyNext(run: Run, schema: Schema): Promise<string | undefined> {
  const { name, lock, migrations } = schema;
  await run('SELECT pg_advisory_xact_lock($1)', [lock]);
  // A user of a schema may have no right to create one.
  const [found] = await run<{ exists: boolean }>(`SELECT to_regnamespace('${name}') IS NOT NULL AS exists`);
  if (found?.exists !== true) await run(`CREATE SCHEMA ${name}`);
  await run(`CREATE TABLE IF NOT EXISTS ${name}.migrations (
    number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    oldest_program integer)`);
  const { version } = await tablesIn(run, schema);
  const next = migrations[version];
  if (next === undefined) return undefined;
  // The first versions had no such column.
  await run(`ALTER TABLE ${name}.migrations ADD COLUMN IF NOT EXISTS oldest_program integer`);
  await run(next.sql);
  await run(`INSERT INTO ${name}.migrations (number, name, oldest_program) VALUES ($1, $2, $3)`, [
    next.number,
    next.name,
    next.oldestProgram,
  ]);
  return next.name;
}
