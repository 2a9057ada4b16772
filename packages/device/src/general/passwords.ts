import { createDecipheriv } from 'node:crypto';
import {
  general,
  isLevel,
  isLoginLevel,
  LevelResult,
  type LoginLevel,
  levelOfNumber,
  levels,
  levelWithBlanks,
  loginLevels,
  PasswordResult,
  Refusal,
} from '@azimuth/model';
import type { Access } from '../access/access.js';
import type { CredentialStore } from '../access/credential-store.js';
import { hmac, sameSecret } from '../access/credentials.js';
import { type Feature, method } from '../feature.js';
import type { Log } from '../interfaces/environment.js';
import type { StoredState } from '../parameters/stored-state.js';

const { getChallenge, checkCredentials, changePassword, SetPassword } = general.members;

interface Options {
  readonly access: Access;
  readonly credentials: CredentialStore;
}

/** Challenges and passwords. */
export function passwords({ access, credentials }: Options): Feature {
  return {
    methods: [
      method(getChallenge, ({ user }) => access.challenge(user)),
      // The login has been checked before. Nothing is left to do.
      method(checkCredentials, () => ({})),
      method(changePassword, async ({ encryptedMessage, userLevel }, { log }) => {
        if (levelWithBlanks(userLevel) !== undefined) {
          throw new Refusal('outOfBounds', 'userLevel', 'expected the name of a user level without blanks');
        }
        if (!isLevel(userLevel))
          throw new Refusal('illegalValue', 'userLevel', 'no user level has this name');
        if (!isLoginLevel(userLevel)) return { result: PasswordResult.PWD_NOT_CHANGABLE };
        access.assertReadable();
        if (access.lockout.locked) return { result: PasswordResult.TIMELOCK_ACTIVE };
        // Otherwise a person with the factory password could replace it now, and log in once the level is enabled.
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
          throw new Refusal('accessDenied', '', 'only Service or the level itself may set a legacy password');
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
 * Changes the REST password of a level. The message contains the hash and the salt of the new password, encrypted by
 * AES-128-CBC with the first half of the old hash, and a mac made with the complete old hash. So the sender proves that
 * it knows the old password, and the device never receives the new one. A message with a wrong mac counts as a failed
 * login.
 * @returns true if the password has changed; then it is on disk
 */
export async function changeRestPassword(
  level: LoginLevel,
  message: Uint8Array,
  credentials: CredentialStore,
  access: Access,
  log: Log,
): Promise<boolean> {
  const old = credentials.content.rest[level].hash;
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

const { EnableUserLevel, EnableLegacyUserLevel } = general.members;

export interface PasswordStores {
  readonly state: StoredState;
  readonly credentials: CredentialStore;
}

export interface UserLevels extends Feature {
  /** The levels that can log in with the factory password, which is public. */
  openFactoryPasswords(): OpenFactoryPasswords;
}

/** Enables and disables user levels. The new state is on disk before the response is sent. */
export function userLevels({ state, credentials }: PasswordStores): UserLevels {
  /** @returns true if it was accepted */
  const enable = async (
    { switches, isFactory, protocol }: SwitchedProtocol,
    { userLevel, isEnabled }: { readonly userLevel: number; readonly isEnabled: boolean },
    log: Log,
  ): Promise<boolean> => {
    const level = loginLevelOf(userLevel);
    // Service cannot be disabled.
    if (level === undefined || (level === 'Service' && !isEnabled)) return false;
    await state.update((content) => ({
      ...content,
      [switches]: { ...content[switches], [level]: isEnabled },
    }));
    if (isEnabled && isFactory(credentials, level)) log.warn(openToAll, { userLevel: level, protocol });
    return true;
  };
  return {
    openFactoryPasswords: () => openFactoryPasswords({ state, credentials }),
    methods: [
      method(EnableUserLevel, async (request, { log }) => ({
        result: (await enable(rest, request, log)) ? LevelResult.SUCCESS : LevelResult.NOT_ACCEPTED,
      })),
      method(EnableLegacyUserLevel, async (request, { log }) => ({
        result: await enable(legacy, request, log),
      })),
    ],
  };
}

/** A protocol with enabled levels of its own. */
interface SwitchedProtocol {
  readonly protocol: 'REST' | 'legacy';
  readonly switches: 'userLevels' | 'legacyUserLevels';
  readonly isFactory: (credentials: CredentialStore, level: LoginLevel) => boolean;
}

const rest: SwitchedProtocol = {
  protocol: 'REST',
  switches: 'userLevels',
  isFactory: (credentials, level) => credentials.isFactoryRest(level),
};

const legacy: SwitchedProtocol = {
  protocol: 'legacy',
  switches: 'legacyUserLevels',
  isFactory: (credentials, level) => credentials.isFactoryLegacy(level),
};

/** The level with this number, if it can log in. Undefined for any other number. */
function loginLevelOf(number: number): LoginLevel | undefined {
  const level = levelOfNumber(number);
  return level !== undefined && isLoginLevel(level) ? level : undefined;
}

/** The levels that can log in with the factory password, which is public. */
interface OpenFactoryPasswords {
  readonly rest: readonly LoginLevel[];
  readonly legacy: readonly LoginLevel[];
}

/** The warning in the log when a level with its factory password is enabled, or when an enabled level gets it. */
const openToAll = 'An enabled user level has its factory password now; this password is public: change it';

export function openFactoryPasswords({ state, credentials }: PasswordStores): OpenFactoryPasswords {
  const open = ({ switches, isFactory }: SwitchedProtocol) =>
    loginLevels.filter((level) => state.content[switches][level] && isFactory(credentials, level));
  return { rest: open(rest), legacy: open(legacy) };
}

/** Warns of each level whose factory password allows a login now, and did not before. */
export function warnOfOpened(log: Log, before: OpenFactoryPasswords, now: OpenFactoryPasswords): void {
  for (const [key, protocol] of [
    ['rest', 'REST'],
    ['legacy', 'legacy'],
  ] as const) {
    for (const userLevel of now[key]) {
      if (!before[key].includes(userLevel)) log.warn(openToAll, { userLevel, protocol });
    }
  }
}
