import { StorageAway } from '@azimuth/device';

/** This process does not have the scanner, or not any more: it has lost the lease, or the scanner is no longer in the fleet. */
export class NotTheOwner extends StorageAway {
  override readonly name = 'NotTheOwner';

  constructor(serials: readonly string[], doing: string) {
    const [first = ''] = serials;
    const which = serials.length === 1 ? `the scanner ${first}` : `all of ${serials.length} scanners`;
    super(
      `This process does not have the lease of ${which}: ${doing} is refused`,
      'another process runs this scanner now; try again in a moment',
    );
  }
}

/**
 * The rows of scanners that the owner $1 may change now. Each statement that saves selects from it. The lock on the row of the
 * lease makes a takeover wait until the statement has ended, and makes a statement that has waited look again at what the
 * takeover has left. `clock_timestamp()` goes on while a statement waits; `now()` would not.
 *
 * The locks are the weakest ones that keep takeovers out, so neither a renewal waits for a save, nor a save for a fleet that is
 * being applied, unless the scanner is removed or moved. The scanner is locked first: whoever waits for that has no other lock.
 *
 * $1 owner, $2 serial number, $3 epoch, $4 the how-manyth statement of this process it is
 */
export const fence = `fence AS (
      SELECT u.serial, s.epoch FROM azimuth.scanners u JOIN azimuth.shards s ON s.shard = u.shard
      WHERE u.serial = $2 AND s.owner = $1 AND s.epoch = $3 AND s.expires_at > clock_timestamp()
      FOR KEY SHARE OF u, s
    )`;

/**
 * The same for many scanners: $2 serial numbers, $5 the shards and $3 the epochs that the owner has. All of them, or none. All
 * scanners are locked before the first shard (sorting waits for the last of them), then shards in their order.
 */
export const fenceOfMany = `listed AS MATERIALIZED (
      SELECT serial, shard FROM azimuth.scanners WHERE serial = ANY ($2::text[]) ORDER BY serial FOR KEY SHARE
    ), locked AS (
      SELECT listed.serial, s.epoch FROM listed JOIN azimuth.shards s ON s.shard = listed.shard
      JOIN unnest($5::integer[], $3::integer[]) AS held (shard, epoch) ON s.shard = held.shard AND s.epoch = held.epoch
      WHERE s.owner = $1 AND s.expires_at > clock_timestamp()
      ORDER BY s.shard, listed.serial FOR KEY SHARE OF s
    ), fence AS (
      SELECT serial, epoch FROM locked WHERE (SELECT count(*) FROM locked) = cardinality($2::text[])
    )`;

let issued = 0;

/** Numbers the statements of this process. An older one that arrives late never undoes what a newer one did. */
export function nextNumber(): number {
  issued++;
  return issued;
}
