import { isDeepStrictEqual } from 'node:util';
import { type Scanner, ScannerError } from '@azimuth/client';
import { decrypted, isContainer, RestoreRefused, valueOfEntry } from '@azimuth/device/backup-restore';
import { isObject } from '@azimuth/model';

/** The content of a backup file, as far as this command can read it. */
interface BackupContent {
  /** The serial number of the scanner that it was made of; undefined if the file does not state it. */
  readonly serialNumber: string | undefined;
  /** The values that it holds, by the name of their parameter. */
  readonly values: ReadonlyMap<string, unknown>;
}

const nothing: BackupContent = { serialNumber: undefined, values: new Map() };

/**
 * Reads a backup file. Empty for a file that the scanner refuses whole, with its own reason. Undefined for a file of
 * another form, as devices may write them when they encrypt: it may hold anything.
 */
export async function contentOf(file: Uint8Array, passphrase = ''): Promise<BackupContent | undefined> {
  let plain = file;
  if (isContainer(file)) {
    try {
      plain = await decrypted(file, passphrase);
    } catch (error) {
      if (error instanceof RestoreRefused) return nothing;
      throw error;
    }
  }
  const backup = jsonIn(plain);
  if (backup === undefined) return undefined;
  if (!isObject(backup) || !Array.isArray(backup.parameters)) return nothing;
  const { 'serial number': serialNumber, parameters: groups } = backup;
  const values = new Map<string, unknown>();
  for (const entry of groups.flatMap(entriesOf)) {
    if (isObject(entry) && typeof entry.name === 'string') values.set(entry.name, valueOfEntry(entry.value));
  }
  return { serialNumber: typeof serialNumber === 'string' ? serialNumber : undefined, values };
}

function entriesOf(group: unknown): readonly unknown[] {
  return isObject(group) && Array.isArray(group.parameters) ? group.parameters : [];
}

/** Undefined if the bytes are not JSON. */
function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** The variables that identify a scanner in a network: a restore overwrites them. */
const ownNames = [
  'LocationName',
  'EtherIPAddress',
  'EtherIPMask',
  'EtherIPGateAddress',
  'EtherAddressingMode',
] as const;

/**
 * Why a backup may be of another scanner than this one; undefined if it is of this one. By the serial number where
 * both state theirs, else by whether name and address stay the same.
 */
export async function otherUnit(
  path: string,
  content: BackupContent | undefined,
  scanner: Pick<Scanner, 'readAny' | 'url'>,
): Promise<string | undefined> {
  if (content === undefined) {
    return `${path} is in a format that only the scanner can read; it may contain the address and the name of another scanner`;
  }
  const { serialNumber, values } = content;
  const own = await readIfThere(scanner, 'SerialNumber');
  if (own !== undefined && own === serialNumber) return undefined;
  const now = new Map<string, unknown>();
  for (const name of ownNames) {
    const value = await readIfThere(scanner, name);
    if (value !== undefined) now.set(name, value);
  }
  const here = `${scanner.url} is ${unitOf(own, now)}`;
  if (own !== undefined && serialNumber !== undefined) {
    return `${path} is a backup of ${unitOf(serialNumber, values)}, and ${here}`;
  }
  const changed = ownNames.filter(
    (name) => now.has(name) && values.has(name) && !isDeepStrictEqual(now.get(name), values.get(name)),
  );
  if (changed.length === 0) return undefined;
  return `${path} is a backup of ${unitOf(serialNumber, values)}, and ${here}, which may be another one: ${changed.join(', ')} would change`;
}

/** `scanner 23450001 ("Gate 3", 192.168.0.7)`, as far as it is known. */
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

/** Undefined if the scanner has no such variable. */
async function readIfThere(scanner: Pick<Scanner, 'readAny'>, name: string): Promise<unknown> {
  try {
    return await scanner.readAny(name);
  } catch (error) {
    if (error instanceof ScannerError && error.statusName === 'notFound') return undefined;
    throw error;
  }
}
