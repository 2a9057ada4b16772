import type { LoginLevel } from './level.js';
import { isFrom, type Release } from './release.js';

/**
 * May this level log in to a scanner that leaves the factory with this release, over REST and over the legacy
 * protocol? From 2.1.0 on Service alone, before that everybody (specification, Cybersecurity and Versioning 9).
 */
export function enabledAtFactory(level: LoginLevel, release: Release): boolean {
  return level === 'Service' || !isFrom(release, '2.1.0');
}
