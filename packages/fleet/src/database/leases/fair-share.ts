import type { Database, Statement } from '../database.js';
import type { Leases } from './leases.js';

/** How the work is spread. */
export interface Spread {
  /** Shards of the fleet, and scanners in them. */
  readonly shards: number;
  readonly scanners: number;
  /** Scanners that this worker can bear, and that all workers who live can bear together. */
  readonly capacity: number;
  readonly totalCapacity: number;
}

/** Shards that a worker gives in one step. */
const mostGiven = 2;

const spread: Statement = {
  name: 'azimuth-spread',
  text: `SELECT
    (SELECT count(*)::integer FROM azimuth.shards WHERE shard >= 0) AS shards,
    (SELECT count(*)::integer FROM azimuth.scanners WHERE shard >= 0) AS scanners,
    (SELECT capacity FROM azimuth.workers WHERE owner = $1) AS capacity,
    (SELECT sum(capacity)::float8 FROM azimuth.workers
      WHERE owner = $1 OR expires_at > clock_timestamp()) AS "totalCapacity"`,
};

/** Shards that a worker should have: its part by capacity. If all together cannot bear the fleet, it has no more than it can bear. */
export function fairShare({ shards, scanners, capacity, totalCapacity }: Spread): number {
  // Rounded up, so that every shard has somebody who takes it.
  const part = Math.ceil((shards * capacity) / totalCapacity);
  if (totalCapacity >= scanners) return part;
  return Math.max(1, Math.floor((shards * capacity) / scanners));
}

/**
 * How many shards a worker should take (positive) or give to others (negative) now. It gives few at a time, so that few
 * scanners look as after a power cut.
 * @param kept how many of its shards it has and is not giving already, when the database has answered
 * @throws DatabaseAway
 */
export async function shardsToMove(
  database: Database,
  leases: Leases,
  kept = () => leases.held.length,
): Promise<number> {
  const [row] = await database.query<Record<keyof Spread, number | null>>(spread, [leases.owner]);
  const { shards, scanners, capacity, totalCapacity } = row ?? {};
  // It has not said yet that it lives.
  if (!shards || !capacity || !totalCapacity) return 0;
  const share = fairShare({ shards, scanners: scanners ?? 0, capacity, totalCapacity });
  return Math.max(share - kept(), -mostGiven);
}
