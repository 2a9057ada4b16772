import type { Statement } from '../database.js';

/** The channel that announces shards that are free, and shards with a new owner. */
export const shardsChannel = 'azimuth_shards';

/**
 * Acquires free leases, and records it: leases without an owner, and leases that this process still has in the database but
 * no longer by its own clock ($4: the epochs that it works with), as after a late renewal. The lock waits for saves of the
 * shard. It also waits for a fleet that is being applied and has added scanners to the shard (FOR KEY SHARE).
 * @param which of the free ones
 */
const acquiring = (which: string, lock: string) =>
  acquiringFree(`${which} AND (owner IS NULL OR expires_at <= clock_timestamp()
        OR owner = $1 AND NOT epoch = ANY ($4::integer[])) ${lock}`);

const acquiringFree = (which: string) => `WITH free AS (
      SELECT shard FROM azimuth.shards WHERE ${which}
    ), taken AS (
      UPDATE azimuth.shards s SET owner = $1, epoch = nextval('azimuth.epoch_numbers'),
        expires_at = clock_timestamp() + $2 * interval '1 ms'
      FROM free WHERE s.shard = free.shard RETURNING s.shard, s.epoch
    ), history AS (
      INSERT INTO azimuth.epochs (shard, epoch, owner, began_at) SELECT shard, epoch, $1, clock_timestamp() FROM taken
    )`;

export const acquire: Statement = {
  name: 'azimuth-take',
  text: `${acquiring('shard >= 0', 'LIMIT $3 FOR UPDATE SKIP LOCKED')}, told AS (
      SELECT pg_notify('${shardsChannel}', '') FROM taken LIMIT 1
    )
    SELECT shard, epoch FROM taken LEFT JOIN told ON true`,
};

/**
 * Reclaims the leases of earlier processes of the same socket, whether they have expired or not: these processes have ended.
 * Other workers no longer count on these processes. $3: the end of the names of all processes of this socket.
 */
export const reclaim: Statement = {
  name: 'azimuth-take-back',
  text: `${acquiringFree('shard >= 0 AND owner <> $1 AND right(owner, length($3)) = $3 FOR UPDATE SKIP LOCKED')}, gone AS (
      DELETE FROM azimuth.workers WHERE owner <> $1 AND right(owner, length($3)) = $3
    ), told AS (
      SELECT pg_notify('${shardsChannel}', '') FROM taken LIMIT 1
    )
    SELECT shard, epoch FROM taken LEFT JOIN told ON true`,
};

export const acquireStandalone: Statement = {
  name: 'azimuth-take-alone',
  text: `${acquiring('shard = $3', 'FOR UPDATE')} SELECT shard, epoch FROM taken`,
};

export const standaloneShard: Statement = {
  name: 'azimuth-lone-shard',
  text: 'SELECT azimuth.lone_shard($1) AS shard',
};

export const ownerOf: Statement = {
  name: 'azimuth-who-has',
  text: `SELECT owner, ceil(extract(epoch FROM expires_at - clock_timestamp()))::integer AS seconds
    FROM azimuth.shards WHERE shard = $1`,
};

/**
 * Renews leases. An expired lease that nobody has acquired still belongs to this process. A renewal and a save do not wait
 * for each other. If others have locked rows, the statement reports these rows and renews the rest: no wait may cost a
 * process all its leases. $7: ms for which others count on its capacity. Gateways find it as long as it has leases.
 */
export const renew: Statement = {
  name: 'azimuth-renew',
  text: `WITH held AS (
      SELECT s.shard FROM azimuth.shards s
      JOIN unnest($3::integer[], $4::integer[]) AS held (shard, epoch) ON s.shard = held.shard AND s.epoch = held.epoch
      WHERE s.owner = $1
    ), free AS (
      SELECT s.shard FROM azimuth.shards s
      JOIN unnest($3::integer[], $4::integer[]) AS held (shard, epoch) ON s.shard = held.shard AND s.epoch = held.epoch
      WHERE s.owner = $1 FOR NO KEY UPDATE OF s SKIP LOCKED
    ), here AS (
      INSERT INTO azimuth.workers (owner, url, capacity, expires_at)
      SELECT $1, $5, $6, clock_timestamp() + $7 * interval '1 ms' WHERE $5::text IS NOT NULL
      ON CONFLICT (owner) DO UPDATE SET url = $5, capacity = $6, expires_at = clock_timestamp() + $7 * interval '1 ms'
    ), renewed AS (
      UPDATE azimuth.shards s SET expires_at = clock_timestamp() + $2 * interval '1 ms'
      FROM free WHERE s.shard = free.shard RETURNING s.shard
    )
    SELECT held.shard, renewed.shard IS NOT NULL AS renewed FROM held LEFT JOIN renewed ON renewed.shard = held.shard`,
};

/** Releases leases. It waits for saves, too: the next owner must read what they have written. */
export const release: Statement = {
  name: 'azimuth-release',
  text: `WITH mine AS (
      SELECT s.shard FROM azimuth.shards s
      JOIN unnest($2::integer[], $3::integer[]) AS held (shard, epoch) ON s.shard = held.shard AND s.epoch = held.epoch
      WHERE s.owner = $1 ORDER BY s.shard FOR UPDATE OF s
    ), freed AS (
      UPDATE azimuth.shards s SET owner = NULL, expires_at = NULL FROM mine WHERE s.shard = mine.shard RETURNING s.shard
    )
    SELECT pg_notify('${shardsChannel}', '') FROM freed LIMIT 1`,
};

/** Leaves the list of workers. The others then share its shards. */
export const leave: Statement = {
  name: 'azimuth-leave',
  text: `WITH gone AS (
      DELETE FROM azimuth.workers WHERE owner = $1 OR expires_at < clock_timestamp() - interval '1 hour' RETURNING owner
    )
    SELECT pg_notify('${shardsChannel}', '') FROM gone LIMIT 1`,
};
