import type { Database, Statement } from '../database.js';

/** The load of a fleet, and its living workers. */
export interface FleetLoad {
  /** Number of shards of the fleet, and of scanners in them. */
  readonly shards: number;
  readonly scanners: number;
  /** Number of scanners that each worker can run, by the names of the workers. */
  readonly capacities: ReadonlyMap<string, number>;
}

/** Shards that a worker gives away in one step. */
const mostReleased = 2;

const spread: Statement = {
  name: 'azimuth-spread',
  text: `SELECT owner, capacity,
      (SELECT count(*)::integer FROM azimuth.shards WHERE shard >= 0) AS shards,
      (SELECT count(*)::integer FROM azimuth.scanners WHERE shard >= 0) AS scanners
    FROM azimuth.workers WHERE owner = $1 OR expires_at > clock_timestamp()`,
};

/**
 * Reads the current load and workers.
 * @param owner this worker: it counts, even if it was late to say that it is alive
 * @throws DatabaseUnavailable
 */
export async function readFleetLoad(database: Database, owner: string): Promise<FleetLoad> {
  const rows = await database.query<LoadRow>(spread, [owner]);
  const { shards, scanners } = rows[0] ?? { shards: 0, scanners: 0 };
  return { shards, scanners, capacities: new Map(rows.map((row) => [row.owner, row.capacity])) };
}

type LoadRow = Readonly<Record<'owner', string> & Record<'capacity' | 'shards' | 'scanners', number>>;

/** Returns the number of scanners that all workers can run together. */
export function totalCapacity({ capacities }: Pick<FleetLoad, 'capacities'>): number {
  return [...capacities.values()].reduce((sum, capacity) => sum + capacity, 0);
}

/**
 * Returns the number of shards that each worker should have, by the names of the workers. Each part is proportional to the
 * capacity, and all parts add up to the number of shards. Parts are whole numbers. The rest goes to the workers whose parts
 * were rounded down most, by name if several are equal. All workers compute the same. If all together cannot run the fleet,
 * no worker gets more than it can run.
 */
export function fairShares(spread: FleetLoad): ReadonlyMap<string, number> {
  const { shards, scanners, capacities } = spread;
  const total = totalCapacity(spread);
  // Compares characters, independent of the language of a process or of the database.
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
  const rest = shards - [...shares.values()].reduce((sum, share) => sum + share, 0);
  for (const [owner] of mostCut.slice(0, rest)) shares.set(owner, (shares.get(owner) ?? 0) + 1);
  return shares;
}

/**
 * Returns the number of shards that a worker should acquire (positive) or give away (negative) now. It gives few at a time,
 * so that few scanners behave as after a power cut.
 * @param held number of shards that it has and is not giving away already
 */
export function shardsToMove(spread: FleetLoad, owner: string, held: number): number {
  const share = fairShares(spread).get(owner);
  // This worker has not announced yet that it is alive.
  if (share === undefined) return 0;
  return Math.max(share - held, -mostReleased);
}

/** The owner of a shard now. */
interface Owner {
  readonly shard: number;
  readonly epoch: number;
  /** The name of the process. */
  readonly owner: string;
  /** Its URL for gateways. */
  readonly url: string;
}

const ownersNow: Statement = {
  name: 'azimuth-owners',
  text: `SELECT s.shard, s.epoch, s.owner, w.url FROM azimuth.shards s JOIN azimuth.workers w ON w.owner = s.owner
    WHERE s.shard >= 0 AND s.expires_at > clock_timestamp() ORDER BY s.shard`,
};

/**
 * Returns the owners of all shards whose leases have not expired.
 * @throws DatabaseUnavailable
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
 * Returns the other workers that announce this URL, and have not left. Gateways send requests for one of them to another one.
 * @throws DatabaseUnavailable
 */
export async function othersAt(database: Database, url: string, owner: string): Promise<readonly string[]> {
  const rows = await database.query<{ owner: string }>(sameUrl, [owner, url]);
  return rows.map((row) => row.owner);
}
