import { createDecipheriv } from 'node:crypto';
import {
  Fault,
  general,
  isLevel,
  isLoginLevel,
  type LoginLevel,
  levels,
  levelWithBlanks,
  PasswordResult,
} from '@azimuth/model';
import type { Access } from '../access/access.js';
import { type CredentialStore, hmac, sameSecret } from '../access/credential-store.js';
import { type Feature, method } from '../feature.js';
import type { Log } from '../interfaces/log.js';
import { loginLevelOf } from './user-levels.js';

const { getChallenge, checkCredentials, changePassword, SetPassword } = general.members;

/** Challenges and passwords. */
export function passwords(access: Access, credentials: CredentialStore): Feature {
  return {
    methods: [
      method(getChallenge, ({ user }) => access.challenge(user)),
      // Whoever comes here has been let in: that is the whole answer.
      method(checkCredentials, () => ({})),
      method(changePassword, async ({ encryptedMessage, userLevel }, { log }) => {
        if (levelWithBlanks(userLevel) !== undefined) {
          throw new Fault('outOfBounds', 'userLevel', 'the names of user levels are written without blanks');
        }
        if (!isLevel(userLevel)) throw new Fault('illegalValue', 'userLevel', 'no user level has this name');
        if (!isLoginLevel(userLevel)) return { result: PasswordResult.PWD_NOT_CHANGABLE };
        if (access.lockout.locked) return { result: PasswordResult.TIMELOCK_ACTIVE };
        // Whoever knows a factory password must not put his own in the place of it, to wait until the level is enabled.
        if (!access.isEnabled(userLevel)) {
          access.triedDisabled(userLevel, log, { endpoint: changePassword.name });
          return { result: PasswordResult.PWD_NOT_CHANGABLE };
        }
        const message = Uint8Array.from(encryptedMessage);
        return {
          result: (await changeRestPassword(userLevel, message, credentials, access, log))
            ? PasswordResult.SUCCESS
            : PasswordResult.NOT_ACCEPTED,
        };
      }),
      method(SetPassword, async ({ siUserLevel, udiNewPassword }, { caller }) => {
        if (caller.level !== 'Service' && levels[caller.level] !== siUserLevel) {
          throw new Fault('accessDenied', '', 'only Service or the level itself may set a legacy password');
        }
        const level = loginLevelOf(siUserLevel);
        if (level === undefined) return { bSuccess: false };
        await credentials.setLegacy(level, udiNewPassword);
        return { bSuccess: true };
      }),
    ],
    boot: () => access.voidChallenges(),
  };
}

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
