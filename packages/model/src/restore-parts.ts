import type { Variable } from './declaration.js';
import { isObject } from './envelope.js';
import { ethernet } from './groups/ethernet.js';
import { legacyProtocols } from './groups/legacy-protocols.js';

/** Groups whose parameters decide how a scanner is reached. */
export const networkGroups: readonly string[] = [ethernet.name, legacyProtocols.name];

/** Parts that a restore can change, by the bits of `Filter` of RestoreParameterBackup; everything if no bit is set. */
const restoreParts = {
  /** Part of the fields, evaluations and their parameters, which LoadApplicationDefaults resets. */
  application: 1,
  /** Part of the groups Ethernet and Legacy protocols, by which the scanner is reached. */
  network: 2,
  /** Part of all other parameters. */
  device: 4,
} as const;

type RestorePart = keyof typeof restoreParts;

/** Largest Filter: the bits of all parts. */
export const everyRestorePart = restoreParts.application | restoreParts.network | restoreParts.device;

/** Returns the part to which a parameter belongs. */
export function restorePartOf({ section, group }: Variable<unknown>): RestorePart {
  if (section === 'application') return 'application';
  return networkGroups.includes(group) ? 'network' : 'device';
}

/** Returns true if a restore with this filter changes the parameters of a part. @param filter 0 to 7 */
export function restores(filter: number, part: RestorePart): boolean {
  return filter === 0 || (filter & restoreParts[part]) !== 0;
}

/**
 * Returns a value as an entry of a backup file holds it. Entries hold integers, booleans, strings, objects and numbers
 * (specification, Parameter backup file), so an array is put into an object, as its member `items`.
 */
export function entryValue(value: unknown): unknown {
  return Array.isArray(value) ? { items: value } : value;
}

/** Returns the value that an entry holds. No struct of the interface has `items` as its only member. */
export function valueOfEntry(entry: unknown): unknown {
  const hasOneMember = isObject(entry) && Object.keys(entry).length === 1;
  return hasOneMember && Array.isArray(entry.items) ? entry.items : entry;
}
