import { allParameters, device, restorePartOf, sameJson, type Variable } from '@azimuth/model';
import type { BackupContent } from './backup-content.js';

/** The variables that identify a scanner in a network: two scanners with the same values disturb each other. */
const ownParameters: readonly string[] = allParameters
  .filter(({ facts }) => facts.ofOneScanner === true)
  .map(({ name }) => name);

/** What of a scanner is its own: its name, and the settings of its network (the groups Ethernet and Legacy protocols). */
export type OwnPart = 'name' | 'network';

/** The own part to which a parameter belongs; undefined for one that several scanners may have alike. */
export function ownPartOf(variable: Variable<unknown>): OwnPart | undefined {
  if (variable.name === device.members.LocationName.name) return 'name';
  return restorePartOf(variable) === 'network' ? 'network' : undefined;
}

/** What has to be read of a scanner to know whether a backup is of it. */
export const ownVariables = ['SerialNumber', ...ownParameters];

/** Why a backup may be of another scanner. */
export interface OtherUnit {
  /** The scanner of the backup, in words: `scanner 23450001 ("Gate 3", 192.168.0.7)`. */
  readonly backup: string;
  /** The scanner to which it would be restored. */
  readonly here: string;
  /** If a serial number is missing, the parameters that would change; empty if the serial numbers differ. */
  readonly changed: readonly string[];
}

/**
 * Why a backup may be of another scanner than this one; undefined if it is of this one. By the serial number where
 * both state theirs, else by whether name and address stay the same.
 * @param now the values of `ownVariables`, as far as the scanner has them
 */
export function otherUnit(
  { serialNumber, values }: BackupContent,
  now: ReadonlyMap<string, unknown>,
): OtherUnit | undefined {
  const own = now.get('SerialNumber');
  if (own !== undefined && own === serialNumber) return undefined;
  const units = { backup: unitOf(serialNumber, values), here: unitOf(own, now) };
  if (own !== undefined && serialNumber !== undefined) return { ...units, changed: [] };
  const changed = ownParameters.filter(
    (name) => now.has(name) && values.has(name) && !sameJson(now.get(name), values.get(name)),
  );
  return changed.length === 0 ? undefined : { ...units, changed };
}

function unitOf(serialNumber: unknown, values: ReadonlyMap<string, unknown>): string {
  const name = values.get('LocationName');
  const address = values.get('EtherIPAddress');
  const facts = [
    ...(typeof name === 'string' ? [JSON.stringify(name)] : []),
    ...(Array.isArray(address) ? [address.join('.')] : []),
  ];
  const details = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  return serialNumber === undefined
    ? `a scanner of unknown serial number${details}`
    : `scanner ${String(serialNumber)}${details}`;
}
