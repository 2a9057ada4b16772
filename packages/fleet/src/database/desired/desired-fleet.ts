import type { Database, Run, Statement } from '../database.js';
import { type ListedScanner, type Replaced, replaceScanners } from './replace-scanners.js';

/** The fleet as it was applied. */
export interface DesiredFleet {
  /** The fleet file. */
  readonly yaml: string;
  /** Its further files, by the names in the fleet file. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

export interface AppliedFleet extends DesiredFleet {
  /** Number of the version. Each change that is applied gets the next one. */
  readonly version: number;
}

interface Applied extends Replaced {
  readonly version: number;
}

/** A scanner with its shard. */
export interface ShardScanner extends ListedScanner {
  readonly shard: number;
  /** The epoch at which it was added. It is a new one if the scanner was removed, or run standalone, in between. */
  readonly since: number;
}

/** The channel that announces a fleet that was applied. */
export const fleetChannel = 'azimuth_fleet';

/** Number of versions that are stored. */
const storedVersions = 10;

/**
 * Replaces the fleet and its list of scanners in one transaction. Documents of a removed scanner stay. If it is added again,
 * it has them again. Applying an equal fleet changes nothing.
 * @param scanners in the order of the list; each serial number once
 * @throws ScannersRunStandalone, DatabaseUnavailable, DatabaseRefused
 */
export async function applyFleet(
  database: Database,
  desired: DesiredFleet & { readonly scanners: readonly ListedScanner[] },
): Promise<Applied> {
  const { yaml, files, scanners } = desired;
  return database.transaction(
    async (run) => {
      // Only one program applies a fleet at a time.
      await run('LOCK TABLE azimuth.fleet IN SHARE ROW EXCLUSIVE MODE');
      const version = await addVersion(run, yaml, files);
      // Last: from here on, saves of removed scanners wait.
      const counts = await replaceScanners(run, scanners);
      await run(`NOTIFY ${fleetChannel}`);
      return { version, ...counts };
    },
    // If the outcome is unknown, it is applied once more, which does no harm.
    { repeatFor: 5000 },
  );
}

async function addVersion(run: Run, yaml: string, files: ReadonlyMap<string, Uint8Array>): Promise<number> {
  const current = await latest(run);
  if (current !== undefined && current.yaml === yaml && sameFiles(await filesIn(run, current.version), files))
    return current.version;
  const version = (current?.version ?? 0) + 1;
  await run('INSERT INTO azimuth.fleet (version, yaml) VALUES ($1, $2)', [version, yaml]);
  for (const [name, content] of files)
    await run('INSERT INTO azimuth.fleet_files (version, name, content) VALUES ($1, $2, $3)', [
      version,
      name,
      Buffer.from(content),
    ]);
  await run('DELETE FROM azimuth.fleet WHERE version <= $1', [version - storedVersions]);
  return version;
}

interface Version {
  readonly version: number;
  readonly yaml: string;
}

async function latest(run: Run): Promise<Version | undefined> {
  const rows = await run<{ version: number; yaml: string }>(
    'SELECT version, yaml FROM azimuth.fleet ORDER BY version DESC LIMIT 1',
  );
  return rows[0];
}

async function filesIn(run: Run, version: number): Promise<ReadonlyMap<string, Uint8Array>> {
  const rows = await run<{ name: string; content: Buffer }>(
    'SELECT name, content FROM azimuth.fleet_files WHERE version = $1',
    [version],
  );
  return new Map(rows.map(({ name, content }) => [name, content]));
}

function sameFiles(some: ReadonlyMap<string, Uint8Array>, others: ReadonlyMap<string, Uint8Array>): boolean {
  if (some.size !== others.size) return false;
  return [...some].every(([name, content]) => {
    const other = others.get(name);
    return other !== undefined && Buffer.compare(content, other) === 0;
  });
}

const version: Statement = {
  name: 'azimuth-fleet-version',
  text: 'SELECT coalesce(max(version), 0)::integer AS version FROM azimuth.fleet',
};

/**
 * Returns the number of the version that was applied last; 0 if there is none.
 * @throws DatabaseUnavailable
 */
export async function fleetVersion(database: Database): Promise<number> {
  const [row] = await database.query<{ version: number }>(version);
  return row?.version ?? 0;
}

/**
 * Returns the fleet that was applied last; undefined if there is none.
 * @throws DatabaseUnavailable
 */
export function desiredFleet(database: Database): Promise<AppliedFleet | undefined> {
  return database.transaction(async (run) => {
    // The files of this version, even if another one is applied in between.
    await run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const newest = await latest(run);
    if (newest === undefined) return undefined;
    const { version, yaml } = newest;
    return { version, yaml, files: await filesIn(run, version) };
  });
}

const scanners: Statement = {
  name: 'azimuth-scanners',
  text: `SELECT serial, group_name AS "group", shard, since FROM azimuth.scanners
    WHERE shard >= 0 ORDER BY position`,
};

/**
 * Returns all scanners of the fleet, in its order.
 * @throws DatabaseUnavailable
 */
export async function scannersOf(database: Database): Promise<readonly ShardScanner[]> {
  return database.query<ScannerRow>(scanners);
}

type ScannerRow = Readonly<Record<'serial' | 'group', string> & Record<'shard' | 'since', number>>;
