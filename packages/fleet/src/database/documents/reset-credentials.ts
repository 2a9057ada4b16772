import { firstCredentials, type Passwords, SystemRandom, secretDocuments } from '@azimuth/device';
import type { DeploymentKeys } from '../../deployment-keys.js';
import type { Database, Statement } from '../database.js';
import { checkKeys } from './key-check.js';
import { Sealing } from './sealing.js';

/** Whoever runs the scanner has no older statement under way that could win: neither epoch nor number changes. */
const replace: Statement = {
  name: 'azimuth-reset-credentials',
  text: `INSERT INTO azimuth.documents AS d (serial, name, content, secret, epoch, number)
    SELECT serial, $2, $3::bytea, true, since, 0 FROM azimuth.scanners WHERE serial = $1
    ON CONFLICT (serial, name) DO UPDATE SET content = excluded.content, file = NULL, secret = true,
      written_at = clock_timestamp()
    RETURNING serial`,
};

/**
 * Gives scanners of a fleet new credentials: the given passwords, or those of the factory. A scanner that is locked takes them
 * at its next boot; one that runs with its own passwords keeps those until it is started anew.
 * @returns the serial numbers that the fleet does not have
 * @throws KeyMismatch, DatabaseAway
 */
export async function resetCredentials(
  database: Database,
  keys: DeploymentKeys,
  serials: readonly string[],
  passwords: Passwords,
): Promise<readonly string[]> {
  await checkKeys(database, keys);
  const sealing = new Sealing(keys);
  const random = new SystemRandom();
  const { credentials: name } = secretDocuments;
  const unknown: string[] = [];
  for (const serial of serials) {
    const sealed = sealing.seal(serial, name, firstCredentials(random, passwords));
    const rows = await database.query(replace, [serial, name, sealed]);
    if (rows.length === 0) unknown.push(serial);
  }
  return unknown;
}
