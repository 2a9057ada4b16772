import { type LoginLevel, loginLevels } from '@azimuth/model';
import type { Log } from '../interfaces/log.js';
import type { StoredState } from '../parameters/stored-state.js';
import type { CredentialStore } from './credential-store.js';

/** The levels that can log in with the password from the factory, which is public. */
export interface OpenFactoryPasswords {
  readonly rest: readonly LoginLevel[];
  readonly legacy: readonly LoginLevel[];
}

/** What the log warns of when a level is enabled that still has its password from the factory. */
export const openToAll =
  'A user level was enabled whose password is the one from the factory, which is public: change it';

export interface PasswordFacts {
  readonly state: StoredState;
  readonly credentials: CredentialStore;
}

export function openFactoryPasswords({ state, credentials }: PasswordFacts): OpenFactoryPasswords {
  const { userLevels, legacyUserLevels } = state.content;
  return {
    rest: loginLevels.filter((level) => userLevels[level] && credentials.isFactoryRest(level)),
    legacy: loginLevels.filter((level) => legacyUserLevels[level] && credentials.isFactoryLegacy(level)),
  };
}

/** Warns of each level that can log in with the password from the factory now, and could not before. */
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
