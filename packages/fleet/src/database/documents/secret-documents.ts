import { type Passwords, SystemRandom } from '@azimuth/device';
import { firstCredentials, secretDocuments } from '@azimuth/device/documents';
import type { DeploymentKeys } from '../../deployment-keys.js';
import { SealBroken, Sealing } from '../../sealing.js';
import type { Database, Statement } from '../database.js';
import { checkKeys, setDeploymentKey } from './key-check.js';

/** Documents in one query. */
const atOnce = 100;

const sealedAfter: Statement = {
  name: 'azimuth-sealed-after',
  text: `SELECT serial, name, content FROM azimuth.documents
    WHERE secret AND content IS NOT NULL AND (serial, name) > ($1, $2) ORDER BY serial, name LIMIT ${atOnce}`,
};

/** Replaces a document, unless its scanner has saved it in between. */
const replaceSealed: Statement = {
  name: 'azimuth-reseal',
  text: `UPDATE azimuth.documents SET content = $4::bytea
    WHERE serial = $1 AND name = $2 AND secret AND content = $3::bytea RETURNING serial`,
};

interface Sealed extends Record<string, unknown> {
  readonly serial: string;
  readonly name: string;
  readonly content: Buffer;
}

/** Result of sealing the secret documents of a fleet. */
interface Resealed {
  /** Number of secret documents. */
  readonly documents: number;
  /** Number of documents that were sealed with another key, and are sealed with the first one now. */
  readonly changed: number;
  /** Reasons why documents could not be opened with any of the keys. */
  readonly broken: readonly string[];
}

/**
 * Seals all secret documents of a deployment with its first key. From then on, no process starts without that key. Workers
 * may run and save at the same time, if they have the same keys. No other stored data changes. Running it again does no harm.
 * @throws KeyMismatch if the previous key is not among them, DatabaseUnavailable
 */
export async function reseal(database: Database, keys: DeploymentKeys): Promise<Resealed> {
  const sealing = new Sealing(keys);
  await checkKeys(database, keys);
  const broken: string[] = [];
  let [documents, changed] = [0, 0];
  let after: readonly [string, string] = ['', ''];
  for (;;) {
    const page = await database.query<Sealed>(sealedAfter, after);
    for (const { serial, name, content } of page) {
      after = [serial, name];
      documents++;
      try {
        const anew = sealing.reseal(serial, name, content);
        if (anew === undefined) continue;
        const rows = await database.query(replaceSealed, [serial, name, content, anew]);
        changed += rows.length;
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error;
        broken.push(error.message);
      }
    }
    if (page.length < atOnce) break;
  }
  await setDeploymentKey(database, keys);
  return { documents, changed, broken };
}

/**
 * Replaces credentials. Neither epoch nor number changes, because the owner of the scanner has no older statement that could
 * win.
 */
const replaceCredentials: Statement = {
  name: 'azimuth-reset-credentials',
  text: `INSERT INTO azimuth.documents AS d (serial, name, content, secret, epoch, number)
    SELECT serial, $2, $3::bytea, true, since, 0 FROM azimuth.scanners WHERE serial = $1
    ON CONFLICT (serial, name) DO UPDATE SET content = excluded.content, file = NULL, secret = true,
      written_at = clock_timestamp()
    RETURNING serial`,
};

/**
 * Gives scanners of a fleet new credentials: the given passwords, or the factory passwords. A locked scanner uses them from
 * its next boot on. A scanner that runs with its own passwords keeps them until it is started anew.
 * @returns the serial numbers that the fleet does not have
 * @throws KeyMismatch, DatabaseUnavailable
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
    const rows = await database.query(replaceCredentials, [serial, name, sealed]);
    if (rows.length === 0) unknown.push(serial);
  }
  return unknown;
}
