import { general, LevelResult } from '@azimuth/model';
import type { CredentialStore } from '../access/credential-store.js';
import { openToAll } from '../access/factory-passwords.js';
import type { StoredState } from '../parameters/stored-state.js';
import { type Act, act } from '../room.js';
import { loginLevelOf, maySwitch, switched } from './levels.js';

const { EnableUserLevel, EnableLegacyUserLevel } = general.members;

/** The switches of the user levels; a switch is on disk before it is answered. */
export function userLevelActs(state: StoredState, credentials: CredentialStore): readonly Act[] {
  return [
    act(EnableUserLevel, async ({ userLevel, isEnabled }, { log }) => {
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
    act(EnableLegacyUserLevel, async ({ userLevel, isEnabled }, { log }) => {
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
  ];
}
