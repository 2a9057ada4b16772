import {
  general,
  isLoginLevel,
  LevelResult,
  type LoginLevel,
  levelOfNumber,
  loginLevels,
} from '@azimuth/model';
import type { CredentialStore } from '../access/credential-store.js';
import { type Feature, method } from '../feature.js';
import type { Log } from '../interfaces/log.js';
import type { LevelSwitches, StoredState } from '../parameters/stored-state.js';

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
  return {
    openFactoryPasswords: () => openFactoryPasswords({ state, credentials }),
    methods: [
      method(EnableUserLevel, async ({ userLevel, isEnabled }, { log }) => {
        const level = loginLevelOf(userLevel);
        if (level === undefined || !maySwitch(level, isEnabled)) return { result: LevelResult.NOT_ACCEPTED };
        await state.update((content) => ({
          ...content,
          userLevels: switched(content.userLevels, level, isEnabled),
        }));
        if (isEnabled && credentials.isFactoryRest(level)) {
          log.warn(openToAll, { userLevel: level, protocol: 'REST' });
        }
        return { result: LevelResult.SUCCESS };
      }),
      method(EnableLegacyUserLevel, async ({ userLevel, isEnabled }, { log }) => {
        const level = loginLevelOf(userLevel);
        if (level === undefined || !maySwitch(level, isEnabled)) return { result: false };
        await state.update((content) => ({
          ...content,
          legacyUserLevels: switched(content.legacyUserLevels, level, isEnabled),
        }));
        if (isEnabled && credentials.isFactoryLegacy(level)) {
          log.warn(openToAll, { userLevel: level, protocol: 'legacy' });
        }
        return { result: true };
      }),
    ],
  };
}

/** The level with this number, if it can log in; undefined for any other number. */
export function loginLevelOf(number: number): LoginLevel | undefined {
  const level = levelOfNumber(number);
  return level !== undefined && isLoginLevel(level) ? level : undefined;
}

/** May a level be enabled or disabled? Service cannot be disabled. */
function maySwitch(level: LoginLevel, enabled: boolean): boolean {
  return level !== 'Service' || enabled;
}

function switched(switches: LevelSwitches, level: LoginLevel, enabled: boolean): LevelSwitches {
  return { ...switches, [level]: enabled };
}

/** The levels that can log in with the factory password, which is public. */
interface OpenFactoryPasswords {
  readonly rest: readonly LoginLevel[];
  readonly legacy: readonly LoginLevel[];
}

/** The warning in the log when a level with its factory password is enabled, or an enabled level gets it. */
const openToAll = 'An enabled user level has its factory password now; this password is public: change it';

export function openFactoryPasswords({ state, credentials }: PasswordStores): OpenFactoryPasswords {
  const { userLevels, legacyUserLevels } = state.content;
  return {
    rest: loginLevels.filter((level) => userLevels[level] && credentials.isFactoryRest(level)),
    legacy: loginLevels.filter((level) => legacyUserLevels[level] && credentials.isFactoryLegacy(level)),
  };
}

/** Warns of each level that can log in with its factory password now, and could not before. */
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
