import { enabledAtFactory, type Release } from '@azimuth/model';
import type { LevelSwitches, StoredContent } from './stored-state.js';

/** The switches as they leave the factory with a release. */
export function factorySwitches(
  release: Release,
): Pick<StoredContent, 'userLevels' | 'legacyUserLevels' | 'webserverEnabled'> {
  const userLevels: LevelSwitches = {
    Maintenance: enabledAtFactory('Maintenance', release),
    AuthorizedClient: enabledAtFactory('AuthorizedClient', release),
    Service: enabledAtFactory('Service', release),
  };
  return { userLevels, legacyUserLevels: userLevels, webserverEnabled: true };
}
