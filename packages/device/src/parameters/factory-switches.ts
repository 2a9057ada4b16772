import { isFrom, type Release } from '@azimuth/model';
import type { LevelSwitches, StoredContent } from './stored-state.js';

/** The switches as they leave the factory: from 2.1.0 on Service alone may log in, before that everybody. */
export function factorySwitches(
  release: Release,
): Pick<StoredContent, 'userLevels' | 'legacyUserLevels' | 'webserverEnabled'> {
  const lower = !isFrom(release, '2.1.0');
  const userLevels: LevelSwitches = { Maintenance: lower, AuthorizedClient: lower, Service: true };
  return { userLevels, legacyUserLevels: userLevels, webserverEnabled: true };
}
