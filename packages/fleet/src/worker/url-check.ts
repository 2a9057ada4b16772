import type { Log } from '@azimuth/device';
import { type Database, othersAt } from '../database/index.js';

/**
 * Warns if another worker has the same URL. Gateways then reach only one of them, and requests to scanners of the other one fail with
 * 503 when their time is over. One that was killed counts until its leases end, if nobody knows that it is gone.
 * @throws DatabaseAway
 */
export async function warnOfSameUrl(
  { database, log }: { readonly database: Database; readonly log: Log },
  { url, owner }: { readonly url: string; readonly owner: string },
): Promise<void> {
  const others = await othersAt(database, url, owner);
  if (others.length === 0) return;
  log.warn(
    'Another worker has the same URL. If both live, gateways reach only one of them: give each its own --advertise',
    { url, others },
  );
}
