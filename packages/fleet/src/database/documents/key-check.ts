import { hkdfSync } from 'node:crypto';
import type { Log } from '@azimuth/device';
import { assertLong, type DeploymentKeys } from '../../deployment-keys.js';
import type { Database, Statement } from '../database.js';

/** A process has other keys than those that the secrets in the database are sealed with. */
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
 * Makes sure that a process which seals secrets has the key of the deployment among its keys: others could not open what it
 * seals. The first process of all says which key that is.
 * @returns whether it seals with that key. While the key is changed, it seals with the next one
 * @throws KeyMismatch; RangeError if a key is too short; DatabaseAway
 */
export async function checkKeys(database: Database, keys: DeploymentKeys): Promise<boolean> {
  assertLong(keys);
  const checks = keys.map(checkOf);
  await database.query(addCheck, [checks[0]]);
  const [row] = await database.query<{ value: Buffer }>(readCheck);
  if (row === undefined) throw new Error('the check of the key is gone');
  const which = checks.findIndex((check) => check.equals(row.value));
  if (which < 0) throw new KeyMismatch(database.where, keys.length);
  return which === 0;
}

/**
 * The same for a process that is to run for long. It says if it does not seal with the key of the deployment: that is so while the
 * key is changed, and is a mistake otherwise.
 * @throws as `checkKeys`
 */
export async function checkKeysAtStart(database: Database, keys: DeploymentKeys, log: Log): Promise<void> {
  if (await checkKeys(database, keys)) return;
  log.warn(
    'This process seals secrets with its first key, which is not the key of the deployment yet. When all workers have it, run azimuth fleet reseal',
  );
}

/**
 * From now on, the first key is that of the deployment. For the owner of the schema, when all secrets are sealed with it.
 * @throws DatabaseAway
 */
export async function makeFirstTheKey(database: Database, [first]: DeploymentKeys): Promise<void> {
  await database.query(replaceCheck, [checkOf(first)]);
}

/** The same for the same key. Nothing else about the key, nor about what it seals, can be computed from it. */
function checkOf(key: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', 'azimuth check of the key', 32));
}
