import type { Variable } from './declaration.js';
import { ethernet } from './groups/ethernet.js';
import { legacyProtocols } from './groups/legacy-protocols.js';

/** The groups whose parameters decide how a scanner is reached. */
export const networkGroups: readonly string[] = [ethernet.name, legacyProtocols.name];

/** What a restore changes, by the bits of `Filter` of RestoreParameterBackup; everything if no bit is set. */
export const restoreParts = {
  /** Fields, evaluations and their parameters: what LoadApplicationDefaults resets. */
  application: 1,
  /** The groups Ethernet and Legacy protocols: how the scanner is reached. */
  network: 2,
  /** Everything else. */
  device: 4,
} as const;

export type RestorePart = keyof typeof restoreParts;

/** The largest Filter: the bits of all parts. */
export const everyRestorePart = restoreParts.application | restoreParts.network | restoreParts.device;

/** The part to which a parameter belongs. */
export function restorePartOf({ section, group }: Variable<unknown>): RestorePart {
  if (section === 'application') return 'application';
  return networkGroups.includes(group) ? 'network' : 'device';
}

/** Whether a restore with this filter changes the parameters of a part. @param filter 0 to 7 */
export function restores(filter: number, part: RestorePart): boolean {
  return filter === 0 || (filter & restoreParts[part]) !== 0;
}
