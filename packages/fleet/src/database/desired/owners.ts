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

const ownersNow: Statement = {
  name: 'azimuth-owners',
  text: `SELECT s.shard, s.epoch, s.owner, w.url FROM azimuth.shards s JOIN azimuth.workers w ON w.owner = s.owner
    WHERE s.shard >= 0 AND s.expires_at > clock_timestamp() ORDER BY s.shard`,
};

/**
 * The owners of all shards whose leases have not expired.
 * @throws DatabaseAway
 */
export function owners(database: Database): Promise<readonly Owner[]> {
  return database.query<OwnerRow>(ownersNow);
}

type OwnerRow = Readonly<Record<'shard' | 'epoch', number> & Record<'owner' | 'url', string>>;
