import type { Database } from '@azimuth/fleet/database';

/** The setting of a server that counts its statements by their texts. The extension comes with PostgreSQL. */
export const countsStatements = 'shared_preload_libraries=pg_stat_statements';

/** Makes the counts of this database readable. */
export async function readCounts(database: Database): Promise<void> {
  await database.query({
    name: 'readable-counts',
    text: 'CREATE EXTENSION IF NOT EXISTS pg_stat_statements',
  });
}

/** Numbers of statements so far. */
interface Counts {
  /** Those that write documents, without the operating counters, which scanners save by themselves when they start. */
  readonly saving: number;
  /** All others: leases, polls, starts, counters. */
  readonly others: number;
}

/** Counts the statements of this database by their texts. */
export async function statementCounts(database: Database): Promise<Counts> {
  const [row] = await database.query<{ saving: number; others: number }>({
    name: 'statement-counts',
    text: `SELECT coalesce(sum(calls) FILTER (WHERE saving), 0)::float8 AS saving,
        coalesce(sum(calls) FILTER (WHERE NOT saving), 0)::float8 AS others
      FROM (
        SELECT calls, query LIKE '%INTO azimuth.documents%' AND query NOT LIKE '%azimuth.power_ons%' AS saving
        FROM pg_stat_statements JOIN pg_database d ON d.oid = dbid WHERE d.datname = current_database()
      ) AS counted`,
  });
  return row ?? { saving: Number.NaN, others: Number.NaN };
}
