import type { Database, Statement } from '../database.js';

/** What there is to run, and the workers that live. */
export interface Spread {
  /** Shards of the fleet, and scanners in them. */
  readonly shards: number;
  readonly scanners: number;
  /** Scanners that each worker can run, by the names of the workers. */
  readonly capacities: ReadonlyMap<string, number>;
}

/** Shards that a worker gives in one step. */
const mostGiven = 2;

const spread: Statement = {
  name: 'azimuth-spread',
  text: `SELECT owner, capacity,
      (SELECT count(*)::integer FROM azimuth.shards WHERE shard >= 0) AS shards,
      (SELECT count(*)::integer FROM azimuth.scanners WHERE shard >= 0) AS scanners
    FROM azimuth.workers WHERE owner = $1 OR expires_at > clock_timestamp()`,
};

/**
 * @param owner the worker that asks: it counts, even if it could not say in time that it lives
 * @throws DatabaseAway
 */
export async function spreadNow(database: Database, owner: string): Promise<Spread> {
  const rows = await database.query<SpreadRow>(spread, [owner]);
  const { shards, scanners } = rows[0] ?? { shards: 0, scanners: 0 };
  return { shards, scanners, capacities: new Map(rows.map((row) => [row.owner, row.capacity])) };
}

type SpreadRow = Readonly<Record<'owner', string> & Record<'capacity' | 'shards' | 'scanners', number>>;

/** Scanners that all workers can run together. */
export function totalCapacity({ capacities }: Pick<Spread, 'capacities'>): number {
  return [...capacities.values()].reduce((sum, capacity) => sum + capacity, 0);
}

/**
 * Shards that each worker should have, by the names of the workers: its part by capacity, all parts together exactly the shards
 * that there are. Parts are whole: what is left over goes to those whose part was cut most, the first by name if several were.
 * All workers reckon the same. If all together cannot run the fleet, each has no more than it can run.
 */
export function fairShares(spread: Spread): ReadonlyMap<string, number> {
  const { shards, scanners, capacities } = spread;
  const total = totalCapacity(spread);
  // The order of characters, whatever the language of a process or of the database is.
  const workers = [...capacities].toSorted(([one], [other]) => (one < other ? -1 : 1));
  if (total < scanners)
    return new Map(
      workers.map(([owner, capacity]) => [owner, Math.max(1, Math.floor((shards * capacity) / scanners))]),
    );
  const shares = new Map(
    workers.map(([owner, capacity]) => [owner, Math.floor((shards * capacity) / total)]),
  );
  const cut = (capacity: number) => (shards * capacity) % total;
  const mostCut = workers.toSorted(([, one], [, other]) => cut(other) - cut(one));
  const left = shards - [...shares.values()].reduce((sum, share) => sum + share, 0);
  for (const [owner] of mostCut.slice(0, left)) shares.set(owner, (shares.get(owner) ?? 0) + 1);
  return shares;
}

/**
 * How many shards a worker should take (positive) or give to others (negative) now. It gives few at a time, so that few
 * scanners look as after a power cut.
 * @param kept how many shards it has and is not giving already
 */
export function shardsToMove(spread: Spread, owner: string, kept: number): number {
  const share = fairShares(spread).get(owner);
  // It has not said yet that it lives.
  if (share === undefined) return 0;
  return Math.max(share - kept, -mostGiven);
}

/** Who runs the scanners of a shard now. */
interface Owner {
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

const sameUrl: Statement = {
  name: 'azimuth-same-url',
  text: `SELECT owner FROM azimuth.workers WHERE url = $2 AND owner <> $1 AND expires_at > clock_timestamp() ORDER BY owner`,
};

/**
 * The other workers that say that they are reached at this URL, and have not left: gateways send to one of them what is meant for
 * another one.
 * @throws DatabaseAway
 */
export async function othersAt(database: Database, url: string, owner: string): Promise<readonly string[]> {
  const rows = await database.query<{ owner: string }>(sameUrl, [owner, url]);
  return rows.map((row) => row.owner);
}
