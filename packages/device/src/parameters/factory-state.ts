import { allParameters, type Edition, enabledAtFactory, type Provenance, type Release } from '@azimuth/model';
import type { ValueSet } from './parameters.js';
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

/** The parameter set of a scanner that nobody has touched. */
export function factorySet(edition: Edition, provenance: Provenance): ValueSet {
  const stored = allParameters.filter((variable) => variable.isIn(edition));
  return Object.fromEntries(stored.map((variable) => [variable.name, variable.factoryValue(provenance)]));
}
