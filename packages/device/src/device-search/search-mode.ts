import { isFrom, LegacyScanMode, legacyProtocols, type Release } from '@azimuth/model';
import type { View } from '../parameters/parameters.js';

const { EnableColaScan, EtherLegacyScanMode } = legacyProtocols.members;

/** How long (ms) after it has come up the address of a scanner may be set in IP_CONFIG_TIME_LIMIT. */
export const timeLimit = 60_000;

/** What search tools may do. */
export interface Permission {
  readonly find: boolean;
  readonly setAddress: boolean;
}

/** @param sinceUp ms since the scanner came up */
export function permissionOf(active: View, release: Release, sinceUp: number): Permission {
  switch (modeOf(active, release)) {
    case LegacyScanMode.ENABLED:
      return { find: true, setAddress: true };
    case LegacyScanMode.IP_CONFIG_DISABLED:
      return { find: true, setAddress: false };
    case LegacyScanMode.IP_CONFIG_TIME_LIMIT:
      return { find: true, setAddress: sinceUp < timeLimit };
    default:
      return { find: false, setAddress: false };
  }
}

function modeOf(active: View, release: Release): number {
  if (isFrom(release, '2.1.0')) return active.read(EtherLegacyScanMode);
  return active.read(EnableColaScan) ? LegacyScanMode.ENABLED : LegacyScanMode.DISABLED;
}
