import { isFrom, newestRelease, type Release } from '@azimuth/model';
import type { ScannerFacts } from './scanner-facts.js';
import type { ScannerStore } from './scanner-store.js';

/**
 * The release that a scanner runs from its power-on on: the one that it has stored, or the one that it is delivered with if that
 * is newer, or if it was never started.
 */
export function releaseAtPowerOn(
  { serial, release }: Pick<ScannerFacts, 'serial' | 'release'>,
  store: Pick<ScannerStore, 'release'>,
): Release {
  const stored = store.release(serial);
  if (stored === undefined) return release ?? newestRelease;
  return release !== undefined && isFrom(release, stored) ? release : stored;
}
