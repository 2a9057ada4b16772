import type { Grants, Migration } from '@azimuth/fleet/database';

/** The schema of the log. The tables of a fleet are in another one. */
export const logSchema = 'azimuth_log';

const firstTables = `
CREATE TABLE azimuth_log.entries (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- A program that follows the log reads what other transactions have committed since.
  transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
  id text COLLATE "C" NOT NULL UNIQUE,
  monitor text NOT NULL,
  at timestamptz NOT NULL,
  kind text NOT NULL,
  scanner text NOT NULL,
  serial text,
  entry jsonb NOT NULL
);
CREATE INDEX entries_at ON azimuth_log.entries (at, number);
CREATE INDEX entries_kind ON azimuth_log.entries (kind, at, number);
CREATE INDEX entries_scanner ON azimuth_log.entries (scanner, at);
CREATE INDEX entries_transaction ON azimuth_log.entries (transaction, number);

COMMENT ON COLUMN azimuth_log.entries.monitor IS 'name of the monitor; empty for entries of commands';
COMMENT ON COLUMN azimuth_log.entries.entry IS 'the entry as in the files of a log: docs/monitor.md';

-- Removes entries of a monitor, or of commands, that are older. At most so many at once. Returns how many it has removed.
CREATE FUNCTION azimuth_log.remove_old(of_monitor text, days integer, most integer) RETURNS bigint
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $$
  WITH removed AS (
    DELETE FROM azimuth_log.entries WHERE number IN (
      SELECT number FROM azimuth_log.entries
      WHERE monitor IN (of_monitor, '') AND at < now() - make_interval(days => greatest(days, 1))
      ORDER BY at LIMIT most)
    RETURNING 1)
  SELECT count(*) FROM removed $$;
REVOKE ALL ON FUNCTION azimuth_log.remove_old(text, integer, integer) FROM PUBLIC;
`;

/** All migrations, in their order. A released migration is never changed: the next one changes its tables. */
export const logMigrations: readonly Migration[] = [
  { number: 1, name: 'first tables of the log', sql: firstTables, oldestProgram: 1 },
];

const tables = 'azimuth_log.migrations, azimuth_log.entries';

/**
 * The rights of the programs. Each role is a group without a login. Nobody but the owner of the schema may change an entry,
 * and only monitors may remove old ones.
 */
export const logGrants: Grants = {
  azimuth_log_monitor: [
    `SELECT ON ${tables}`,
    'INSERT ON azimuth_log.entries',
    'EXECUTE ON FUNCTION azimuth_log.remove_old(text, integer, integer)',
  ],
  azimuth_log_commands: [`SELECT ON ${tables}`, 'INSERT ON azimuth_log.entries'],
  azimuth_log_reader: [`SELECT ON ${tables}`],
};
