import { StorageUnavailable } from '@azimuth/device';
import { counted } from '@azimuth/model';
import { runsElsewhere } from '../../scanners/scanner-store.js';
import type { Lease } from '../leases/leases.js';

/**
 * This process does not have the scanner, or not any more: it has lost the lease, or the scanner is no longer in the fleet,
 * or was added again.
 */
export class NotTheOwner extends StorageUnavailable {
  override readonly name = 'NotTheOwner';

  constructor(serials: readonly string[], doing: string) {
    const [first = ''] = serials;
    const which =
      serials.length === 1 ? `the scanner ${first}` : `any of ${counted(serials.length, 'scanner')}`;
    super(`This process does not have the lease of ${which}: ${doing} is refused`, runsElsewhere);
  }
}

/**
 * The rows of scanners that the owner $1 may change now. Each statement that saves selects from it. The lock on the row of
 * the lease makes a takeover wait until the statement has ended. A statement that has waited for a takeover checks the rows
 * again. `clock_timestamp()` advances while a statement waits; `now()` would not.
 *
 * The locks are the weakest ones that keep takeovers out. So a renewal does not wait for a save. A save waits for a fleet
 * that is being applied only if the scanner is removed or moved. The scanner is locked first: a statement that waits for this
 * lock has no other lock.
 *
 * If a scanner ran elsewhere in between, it comes to a shard whose lease may be older than its documents. So the epoch of a
 * save is the later one of two: the epoch of the lease, and the epoch at which the scanner was added.
 *
 * $1 owner, $2 serial number, $3 epoch, $4 sequence number of the statement, counted by this process
 */
export const fence = `fence AS (
      SELECT u.serial, greatest(s.epoch, u.since) AS epoch FROM azimuth.scanners u JOIN azimuth.shards s ON s.shard = u.shard
      WHERE u.serial = $2 AND s.owner = $1 AND greatest(s.epoch, u.since) = $3 AND s.expires_at > clock_timestamp()
      FOR KEY SHARE OF u, s
    )`;

/**
 * Returns the lease with which a scanner of a shard is saved.
 * @param since the epoch at which the scanner was added
 */
export function leaseOfScanner({ shard, epoch }: Lease, since: number): Lease {
  return { shard, epoch: Math.max(epoch, since) };
}

/**
 * The fence for many scanners: $2 serial numbers, $3 the epoch of each. All scanners are locked before the first shard
 * (sorting waits for the last of them), then shards in their order.
 */
export const fenceOfMany = `listed AS MATERIALIZED (
      SELECT u.serial, u.shard, u.since, wanted.epoch FROM azimuth.scanners u
      JOIN unnest($2::text[], $3::integer[]) AS wanted (serial, epoch) ON u.serial = wanted.serial
      ORDER BY u.serial FOR KEY SHARE OF u
    ), fence AS (
      SELECT listed.serial, listed.epoch FROM listed JOIN azimuth.shards s ON s.shard = listed.shard
      WHERE s.owner = $1 AND greatest(s.epoch, listed.since) = listed.epoch AND s.expires_at > clock_timestamp()
      ORDER BY s.shard, listed.serial FOR KEY SHARE OF s
    )`;

let issued = 0;

/** Numbers the statements of this process. An older statement that arrives late never undoes a newer one. */
export function nextNumber(): number {
  issued++;
  return issued;
}
