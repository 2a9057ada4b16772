import { createDecipheriv } from 'node:crypto';
import type { LoginLevel } from '@azimuth/model';
import type { Log } from '../interfaces/log.js';
import type { Access } from './access.js';
import type { CredentialStore } from './credential-store.js';
import { hmac, sameSecret } from './hashes.js';

/** iv(16), ciphertext(48), mac(32). */
const messageLength = 96;

/**
 * Changes the REST password of a level. The message carries the hash of the new password and its salt, AES-128-CBC
 * encrypted under the first half of the old hash, and a mac under the whole of it: so it proves knowledge of the old
 * password, and the device never learns the new one. A message that proves nothing is a failed login.
 * @returns whether the password has changed; it is on disk then.
 */
export async function changeRestPassword(
  level: LoginLevel,
  message: Uint8Array,
  credentials: CredentialStore,
  access: Access,
  log: Log,
): Promise<boolean> {
  const old = credentials.rest(level).hash;
  const proved =
    message.length === messageLength && sameSecret(message.subarray(64), hmac(old, message.subarray(0, 64)));
  if (!proved) {
    access.loginFailed(level, log, { endpoint: 'changePassword' });
    return false;
  }
  access.loginSucceeded(level);
  const decipher = createDecipheriv(
    'aes-128-cbc',
    old.subarray(0, 16),
    message.subarray(0, 16),
  ).setAutoPadding(false);
  const content = Buffer.concat([decipher.update(message.subarray(16, 64)), decipher.final()]);
  await credentials.setRest(level, { hash: content.subarray(0, 32), salt: content.subarray(32) });
  access.voidChallenges();
  log.info('A password was changed', { userLevel: level });
  return true;
}
