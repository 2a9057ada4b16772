import { hkdfSync } from 'node:crypto';
import type { Log } from '@azimuth/device';
import { assertLong, type DeploymentKeys } from '../../deployment-keys.js';
import type { Database, Statement } from '../database.js';

/** Thrown if the keys of a process are not those with which the secrets in the database are sealed. */
export class KeyMismatch extends Error {
  override readonly name = 'KeyMismatch';

  constructor(where: string, keys: number) {
    const others =
      keys === 1 ? 'The key of this process is not' : `None of the ${keys} keys of this process is`;
    super(
      `${others} the key of the deployment in ${where}: compare AZIMUTH_FLEET_KEY or --key-file with that of the workers that run. To change the key, give both, and run azimuth fleet reseal`,
    );
  }
}

const addCheck: Statement = {
  name: 'azimuth-add-key-check',
  text: 'INSERT INTO azimuth.key_check (value) VALUES ($1) ON CONFLICT DO NOTHING',
};

const readCheck: Statement = {
  name: 'azimuth-key-check',
  text: 'SELECT value FROM azimuth.key_check',
};

const replaceCheck: Statement = {
  name: 'azimuth-replace-key-check',
  text: 'UPDATE azimuth.key_check SET value = $1',
};

/**
 * Checks that a process that seals secrets has the key of the deployment. Otherwise others could not open its documents. The
 * first process of all decides which key this is.
 * @returns true if it seals with this key. While the key is changed, it seals with the next one
 * @throws KeyMismatch; RangeError if a key is too short; DatabaseUnavailable
 */
export async function checkKeys(database: Database, keys: DeploymentKeys): Promise<boolean> {
  assertLong(keys);
  const checks = keys.map(fingerprintOf);
  await database.query(addCheck, [checks[0]]);
  const [row] = await database.query<{ value: Buffer }>(readCheck);
  if (row === undefined) throw new Error('the check of the key is gone');
  const which = checks.findIndex((check) => check.equals(row.value));
  if (which < 0) throw new KeyMismatch(database.where, keys.length);
  return which === 0;
}

/**
 * Checks the keys of a process that runs for long. It warns if the process does not seal with the key of the deployment: this
 * is correct while the key is changed, and a mistake otherwise.
 * @throws as `checkKeys`
 */
export async function checkKeysAtStart(database: Database, keys: DeploymentKeys, log: Log): Promise<void> {
  if (await checkKeys(database, keys)) return;
  log.warn(
    'This process seals secrets with its first key, which is not the key of the deployment yet. When all workers have it, run azimuth fleet reseal',
  );
}

/**
 * Makes the first key the key of the deployment. The owner of the schema calls this when all secrets are sealed with it.
 * @throws DatabaseUnavailable
 */
export async function setDeploymentKey(database: Database, [first]: DeploymentKeys): Promise<void> {
  await database.query(replaceCheck, [fingerprintOf(first)]);
}

/** Returns a fixed code of a key. Nothing else about the key or its secrets can be computed from it. */
function fingerprintOf(key: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', 'azimuth check of the key', 32));
}
