import { type LoginLevel, loginLevels } from '@azimuth/model';
import type { Device } from '../device.js';

/** The levels whose password is the one from the factory and that can log in. */
export function openFactoryPasswords(device: Device): readonly LoginLevel[] {
  const { userLevels, legacyUserLevels } = device.state.content;
  const factory = device.credentials.levelsWithFactoryPassword;
  return loginLevels.filter(
    (level) => factory.includes(level) && (userLevels[level] || legacyUserLevels[level]),
  );
}
