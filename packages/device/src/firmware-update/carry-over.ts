import { isFrom, LegacyScanMode, type Release } from '@azimuth/model';
import type { ValueSet } from '../parameters/parameters.js';

/**
 * What becomes of stored parameters when a newer release is put on a scanner. They stay, and where a variable was
 * replaced its successor takes over what it said: a device search that was switched off stays so.
 */
export function carriedOver(parameters: ValueSet, from: Release, to: Release): ValueSet {
  if (isFrom(from, '2.1.0') || !isFrom(to, '2.1.0') || parameters.EnableColaScan !== false) return parameters;
  return { ...parameters, EtherLegacyScanMode: LegacyScanMode.DISABLED };
}
