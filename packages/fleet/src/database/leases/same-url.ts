import type { Database, Statement } from '../database.js';

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
