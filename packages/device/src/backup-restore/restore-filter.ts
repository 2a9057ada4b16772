import { ethernet, Fault, legacyProtocols, type Variable } from '@azimuth/model';

/** What a restore takes over, by the bits of Filter; without any bit it is everything. */
export const restoreParts = {
  /** Fields, evaluations and their parameters: what LoadApplicationDefaults puts at factory state. */
  application: 1,
  /** The groups Ethernet and Legacy protocols: how the scanner is reached. */
  network: 2,
  /** Everything else. */
  device: 4,
} as const;

const everyBit = restoreParts.application | restoreParts.network | restoreParts.device;
const networkGroups: readonly string[] = [ethernet.name, legacyProtocols.name];

/**
 * Says of each variable whether a restore with this filter takes it over.
 * @throws Fault 6 for a bit that stands for nothing.
 */
export function selectedBy(filter: number): (variable: Variable<unknown>) => boolean {
  if (filter > everyBit) throw new Fault('outOfRange', 'Filter', `${filter} is not in 0..${everyBit}`);
  return (variable) => filter === 0 || (filter & partOf(variable)) !== 0;
}

function partOf({ section, group }: Variable<unknown>): number {
  if (section === 'application') return restoreParts.application;
  return networkGroups.includes(group) ? restoreParts.network : restoreParts.device;
}
