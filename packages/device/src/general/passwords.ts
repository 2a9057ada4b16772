import {
  Fault,
  general,
  isLevel,
  isLoginLevel,
  levels,
  levelWithBlanks,
  PasswordResult,
} from '@azimuth/model';
import type { Access } from '../access/access.js';
import type { CredentialStore } from '../access/credential-store.js';
import { changeRestPassword } from '../access/password-change.js';
import { type Feature, method } from '../feature.js';
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
          throw new Fault('accessDenied', '', 'Service, or the level itself, sets a legacy password');
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
