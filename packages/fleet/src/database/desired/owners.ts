import type { Database, Statement } from '../database.js';

/** Who runs the scanners of a shard now. */
export interface Owner {
  readonly shard: number;
  readonly epoch: number;
  /** Names the process. */
  readonly owner: string;
  /** How gateways reach it. */
  readonly url: string;
}

const columns = `SELECT s.shard, s.epoch, s.owner, w.url FROM azimuth.shards s JOIN azimuth.workers w ON w.owner = s.owner`;

const all: Statement = {
  name: 'azimuth-owners',
  text: `${columns} WHERE s.shard >= 0 AND s.expires_at > clock_timestamp() ORDER BY s.shard`,
};

const one: Statement = {
  name: 'azimuth-owner-of',
  text: `${columns} JOIN azimuth.scanners u ON u.shard = s.shard
    WHERE u.serial = $1 AND s.expires_at > clock_timestamp()`,
};

/**
 * The owners of all shards whose leases have not expired.
 * @throws DatabaseAway
 */
export function owners(database: Database): Promise<readonly Owner[]> {
  return database.query<OwnerRow>(all);
}

/**
 * Who runs a scanner now; undefined if nobody does.
 * @throws DatabaseAway
 */
export async function ownerOf(database: Database, serial: string): Promise<Owner | undefined> {
  const [owner] = await database.query<OwnerRow>(one, [serial]);
  return owner;
}

type OwnerRow = Readonly<Record<'shard' | 'epoch', number> & Record<'owner' | 'url', string>>;
