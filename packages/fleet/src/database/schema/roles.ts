import type { Run } from '../database.js';

/** The rights of roles in a schema, by the names of the roles: `SELECT ON …`. */
export type Grants = Readonly<Record<string, readonly string[]>>;

/**
 * The rights of the programs. Each role is a group without a login: `GRANT azimuth_worker TO …` gives its rights to a user.
 * Only a worker can read documents. Only the owner of the schema can change the list of scanners.
 */
const fleetGrants: Grants = {
  azimuth_worker: [
    'SELECT ON azimuth.migrations, azimuth.fleet, azimuth.fleet_files, azimuth.scanners, azimuth.shards',
    'UPDATE (lock_right) ON azimuth.scanners',
    'UPDATE (owner, epoch, expires_at) ON azimuth.shards',
    'USAGE ON SEQUENCE azimuth.epoch_numbers',
    'SELECT, INSERT ON azimuth.epochs, azimuth.detections, azimuth.events, azimuth.key_check',
    'SELECT, INSERT, UPDATE, DELETE ON azimuth.workers, azimuth.files, azimuth.pieces',
    'SELECT, INSERT, UPDATE ON azimuth.documents, azimuth.power_ons',
    'EXECUTE ON FUNCTION azimuth.remove_old_history(), azimuth.lone_shard(text)',
  ],
  azimuth_gateway: [
    'SELECT ON azimuth.migrations, azimuth.fleet, azimuth.fleet_files, azimuth.scanners, azimuth.shards, azimuth.workers',
  ],
  azimuth_reader: [
    'SELECT ON azimuth.migrations, azimuth.scanners, azimuth.shards, azimuth.workers, azimuth.epochs',
    'SELECT ON azimuth.detections, azimuth.events, azimuth.settings',
    'SELECT (version, applied_at, applied_by) ON azimuth.fleet',
  ],
};

/** The names of the roles of a fleet. */
export const roles = Object.keys(fleetGrants);

/** Gives the roles of a fleet their rights. @returns the roles that are missing, as {@link grantRightsIn} */
export function grantRights(run: Run): Promise<readonly string[]> {
  return grantRightsIn(run, 'azimuth', fleetGrants);
}

/**
 * Creates the missing roles, if the user may, and gives all roles their rights in a schema.
 * @returns the roles that are still missing: a user with the right to create roles must create them, and run this again
 */
export async function grantRightsIn(run: Run, schema: string, grants: Grants): Promise<readonly string[]> {
  const names = Object.keys(grants);
  const existing = await existingOf(run, names);
  const [user] = await run<{ may: boolean }>(
    'SELECT rolsuper OR rolcreaterole AS may FROM pg_roles WHERE rolname = current_user',
  );
  for (const role of names) {
    if (user?.may && !existing.includes(role)) await run(`CREATE ROLE ${role} NOLOGIN`);
  }
  const usable = user?.may ? names : existing;
  for (const role of usable) {
    await run(`GRANT USAGE ON SCHEMA ${schema} TO ${role}`);
    for (const grant of grants[role] ?? []) await run(`GRANT ${grant} TO ${role}`);
  }
  return names.filter((role) => !usable.includes(role));
}

async function existingOf(run: Run, names: readonly string[]): Promise<readonly string[]> {
  const rows = await run<{ rolname: string }>('SELECT rolname FROM pg_roles WHERE rolname = ANY($1)', [
    names,
  ]);
  return rows.map(({ rolname }) => rolname);
}
