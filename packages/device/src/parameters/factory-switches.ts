import { type Edition, ethernet, isFrom, type Variable } from '@azimuth/model';
import type { LevelSwitches, StoredContent } from './parameters/stored-state.js';

const { EtherDHCPFallback } = ethernet.members;

/** The factory state of a parameter. */
export function factoryValue(
  variable: Variable<unknown>,
  _edition: Edition,
  { createdWith }: Pick<StoredContent, 'createdWith'>,
): unknown {
  // Scanners delivered with 1.5.0 or older keep asking for an address for life (specification, Versioning 8).
  if (variable === EtherDHCPFallback) return isFrom(createdWith, '2.1.0') ? 0 : 1;
  return variable.type.initial;
}

/** The switches as they leave the factory: from 2.1.0 on Service alone may log in, before that everybody. */
export function factorySwitches({
  release,
}: Edition): Pick<StoredContent, 'userLevels' | 'legacyUserLevels' | 'webserverEnabled'> {
  const lower = !isFrom(release, '2.1.0');
  const userLevels: LevelSwitches = { Maintenance: lower, AuthorizedClient: lower, Service: true };
  return { userLevels, legacyUserLevels: userLevels, webserverEnabled: true };
}
