import { type LoginLevel, loginLevels } from '@azimuth/model';
import type { Device } from '../device.js';

/** The levels that can log in with the password from the factory, which is public. */
export interface OpenFactoryPasswords {
  readonly rest: readonly LoginLevel[];
  readonly legacy: readonly LoginLevel[];
}

export function openFactoryPasswords({ state, credentials }: Device): OpenFactoryPasswords {
  const { userLevels, legacyUserLevels } = state.content;
  return {
    rest: loginLevels.filter((level) => userLevels[level] && credentials.isFactoryRest(level)),
    legacy: loginLevels.filter((level) => legacyUserLevels[level] && credentials.isFactoryLegacy(level)),
  };
}
