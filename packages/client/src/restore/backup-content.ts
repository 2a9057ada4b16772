import { isObject, valueOfEntry } from '@azimuth/model';

/** The content of a backup file, as far as it can be read. */
export interface BackupContent {
  /** The firmware version of the scanner that it was made of: `2.4.4.0R`. Undefined if the file does not state it. */
  readonly version: string | undefined;
  /** The serial number of that scanner; undefined if the file does not state it. */
  readonly serialNumber: string | undefined;
  /** The values that it holds, by the name of their parameter. */
  readonly values: ReadonlyMap<string, unknown>;
}

/** A file that a scanner refuses whole, with its own reason. */
export const emptyBackup: BackupContent = { version: undefined, serialNumber: undefined, values: new Map() };

/**
 * Reads a backup file that is not encrypted (specification, Parameter backup file). A file that lacks parameters is
 * empty. Undefined for bytes that are not JSON, as devices may write them when they encrypt: they may hold anything.
 */
export function backupContent(file: Uint8Array): BackupContent | undefined {
  const backup = jsonIn(file);
  if (backup === undefined) return undefined;
  if (!isObject(backup) || !Array.isArray(backup.parameters)) return emptyBackup;
  const { version, 'serial number': serialNumber, parameters: groups } = backup;
  const values = new Map<string, unknown>();
  for (const entry of groups.flatMap(entriesOf)) {
    if (isObject(entry) && typeof entry.name === 'string') values.set(entry.name, valueOfEntry(entry.value));
  }
  return { version: textOf(version), serialNumber: textOf(serialNumber), values };
}

function entriesOf(group: unknown): readonly unknown[] {
  return isObject(group) && Array.isArray(group.parameters) ? group.parameters : [];
}

function textOf(json: unknown): string | undefined {
  return typeof json === 'string' ? json : undefined;
}

/** Undefined if the bytes are not JSON. */
function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
