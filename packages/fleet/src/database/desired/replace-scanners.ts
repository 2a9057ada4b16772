import { createHash } from 'node:crypto';
import type { Run } from '../database.js';

/** A scanner of a fleet. */
export interface ListedScanner {
  readonly serial: string;
  readonly group: string;
}

/** Numbers of scanners that have changed. */
export interface Replaced {
  readonly added: number;
  readonly removed: number;
  readonly kept: number;
}

/** Thrown if a scanner of the new fleet is run standalone. */
export class ScannersRunStandalone extends Error {
  override readonly name = 'ScannersRunStandalone';
}

const wantedScanners =
  'unnest($1::text[], $2::text[], $3::integer[], $4::integer[]) AS w (serial, group_name, shard, position)';

/**
 * Locks the scanners that change their shard. Saves with the lease of the old shard have ended. Later ones wait until all is
 * applied.
 */
const lockMoved = `SELECT FROM azimuth.scanners s JOIN ${wantedScanners} ON s.serial = w.serial
    WHERE s.shard <> w.shard FOR UPDATE OF s`;

/** Changes rows that differ, and no others. $5: the epoch of added scanners. */
const changeScanners = `UPDATE azimuth.scanners s SET group_name = w.group_name, shard = w.shard, position = w.position,
      since = CASE WHEN s.shard = w.shard THEN s.since ELSE $5::integer END
    FROM ${wantedScanners} WHERE s.serial = w.serial
    AND (s.group_name, s.shard, s.position) IS DISTINCT FROM (w.group_name, w.shard, w.position)`;

const addScanners = `INSERT INTO azimuth.scanners (serial, group_name, shard, position, since)
    SELECT w.*, $5::integer FROM ${wantedScanners} WHERE NOT EXISTS (SELECT FROM azimuth.scanners s WHERE s.serial = w.serial)`;

/** Ends the leases of standalone scanners. A process that was paused for longer than its lease does not renew it, and ends. */
const endStandalone = `UPDATE azimuth.shards SET owner = NULL, expires_at = NULL
    WHERE serial = ANY ($1::text[]) AND owner IS NOT NULL`;

/** @param scanners in the order of the list @throws ScannersRunStandalone */
export async function replaceScanners(run: Run, scanners: readonly ListedScanner[]): Promise<Replaced> {
  // During this time, no process registers a standalone scanner. Saves continue.
  await run('LOCK TABLE azimuth.scanners IN SHARE ROW EXCLUSIVE MODE');
  const shards = await shardsIn(run);
  const serials = scanners.map(({ serial }) => serial);
  await refuseStandalone(run, serials);
  const [removed] = await run<{ count: number }>(
    `WITH removed AS (DELETE FROM azimuth.scanners WHERE shard >= 0 AND serial <> ALL ($1::text[]) RETURNING serial)
    SELECT count(*)::integer AS count FROM removed`,
    [serials],
  );
  const [before] = await run<{ count: number }>(
    'SELECT count(*)::integer AS count FROM azimuth.scanners WHERE shard >= 0',
  );
  const values = [
    serials,
    scanners.map(({ group }) => group),
    serials.map((serial) => shardOf(serial, shards)),
    serials.map((_, position) => position),
  ];
  await run(lockMoved, values);
  // No process saves them any more: the epoch is later than everything that they have stored.
  const [next] = await run<{ epoch: number }>(`SELECT nextval('azimuth.epoch_numbers')::integer AS epoch`);
  await run(changeScanners, [...values, next?.epoch]);
  await run(addScanners, [...values, next?.epoch]);
  await run(endStandalone, [serials]);
  const kept = before?.count ?? 0;
  return { added: scanners.length - kept, removed: removed?.count ?? 0, kept };
}

/** Refuses scanners that run standalone. It locks their rows: nobody saves with the old lease while they join the fleet. */
async function refuseStandalone(run: Run, serials: readonly string[]): Promise<void> {
  const standalone = await run<{ serial: string; owner: string }>(
    `SELECT u.serial, s.owner FROM azimuth.scanners u JOIN azimuth.shards s ON s.shard = u.shard
    WHERE u.shard < 0 AND u.serial = ANY ($1::text[]) AND s.owner IS NOT NULL AND s.expires_at > clock_timestamp()
    ORDER BY u.serial FOR UPDATE OF u, s`,
    [serials],
  );
  const [first] = standalone;
  if (first !== undefined)
    throw new ScannersRunStandalone(
      `${standalone.length} of the scanners are run without a fleet, as ${first.serial} by ${first.owner}: end these first`,
    );
}

async function shardsIn(run: Run): Promise<number> {
  const [row] = await run<{ shards: number }>(
    'SELECT count(*)::integer AS shards FROM azimuth.shards WHERE shard >= 0',
  );
  return row?.shards ?? 0;
}

/** Returns the shard of a scanner. It is the same in all processes and releases. */
export function shardOf(serial: string, shards: number): number {
  return createHash('sha256').update(serial).digest().readUInt32BE(0) % shards;
}
