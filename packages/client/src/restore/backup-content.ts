import {
  allParameters,
  device,
  isObject,
  restorePartOf,
  sameJson,
  type Variable,
  valueOfEntry,
} from '@azimuth/model';

/** The readable content of a backup file. */
export interface BackupContent {
  /** The firmware version of the scanner that made it: `2.4.4.0R`. Undefined if the file does not state it. */
  readonly version: string | undefined;
  /** The serial number of that scanner; undefined if the file does not state it. */
  readonly serialNumber: string | undefined;
  /** The values by the name of their parameter. */
  readonly values: ReadonlyMap<string, unknown>;
}

/** A file that a scanner refuses as a whole, with its own reason. */
export const emptyBackup: BackupContent = { version: undefined, serialNumber: undefined, values: new Map() };

/**
 * Reads a backup file that is not encrypted (specification, Parameter backup file). A file without parameters is
 * empty. Returns undefined for bytes that are not JSON: devices may write encrypted files so.
 */
export function backupContent(file: Uint8Array): BackupContent | undefined {
  const backup = jsonIn(file);
  if (backup === undefined) return undefined;
  if (!isObject(backup) || !Array.isArray(backup.parameters)) return emptyBackup;
  const { version, 'serial number': serialNumber, parameters: groups } = backup;
  const values = new Map<string, unknown>();
  for (const entry of groups.flatMap(groupEntries)) {
    if (isObject(entry) && typeof entry.name === 'string') values.set(entry.name, valueOfEntry(entry.value));
  }
  return { version: nonEmptyText(version), serialNumber: nonEmptyText(serialNumber), values };
}

function groupEntries(group: unknown): readonly unknown[] {
  return isObject(group) && Array.isArray(group.parameters) ? group.parameters : [];
}

function nonEmptyText(json: unknown): string | undefined {
  return typeof json === 'string' ? json : undefined;
}

/** Returns undefined if the bytes are not JSON. */
function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** The variables that identify a scanner in a network: two scanners with the same values disturb each other. */
const ownParameters: readonly string[] = allParameters
  .filter(({ facts }) => facts.ofOneScanner === true)
  .map(({ name }) => name);

/**
 * The settings that belong to a single scanner: its name, and its network (the groups Ethernet and Legacy protocols).
 */
export type OwnPart = 'name' | 'network';

/** Returns the own part to which a parameter belongs; undefined if several scanners may have the same value. */
export function ownPart(variable: Variable<unknown>): OwnPart | undefined {
  if (variable.name === device.members.LocationName.name) return 'name';
  return restorePartOf(variable) === 'network' ? 'network' : undefined;
}

/** The variables that show if a backup is of a scanner. */
export const ownVariables = ['SerialNumber', ...ownParameters];

/** Reasons why a backup may be of another scanner. */
export interface OtherUnit {
  /** The scanner of the backup, in words: `scanner 23450001 ("Gate 3", 192.168.0.7)`. */
  readonly backup: string;
  /** The scanner to which it would be restored, in the same form. */
  readonly here: string;
  /** If a serial number is missing, the parameters that would change; empty if the serial numbers differ. */
  readonly changed: readonly string[];
}

/**
 * Compares a backup with a scanner. Returns the reasons why it may be of another scanner; undefined if it is of this
 * one. The serial numbers decide; if one is missing, an unchanged name and address do.
 * @param now the values of `ownVariables`, as far as the scanner has them
 */
export function otherUnit(
  { serialNumber, values }: BackupContent,
  now: ReadonlyMap<string, unknown>,
): OtherUnit | undefined {
  const own = now.get('SerialNumber');
  if (own !== undefined && own === serialNumber) return undefined;
  const units = { backup: scannerText(serialNumber, values), here: scannerText(own, now) };
  if (own !== undefined && serialNumber !== undefined) return { ...units, changed: [] };
  const changed = ownParameters.filter(
    (name) => now.has(name) && values.has(name) && !sameJson(now.get(name), values.get(name)),
  );
  return changed.length === 0 ? undefined : { ...units, changed };
}

function scannerText(serialNumber: unknown, values: ReadonlyMap<string, unknown>): string {
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
