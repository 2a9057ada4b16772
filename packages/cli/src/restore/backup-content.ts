import { isObject } from '@azimuth/model';

/** What a backup file tells, as far as this command can read it. */
export interface BackupContent {
  /** The serial number of the scanner that it was made of; undefined where the file does not tell. */
  readonly serialNumber: string | undefined;
  /** The values that it holds, by the name of their parameter. */
  readonly values: ReadonlyMap<string, unknown>;
}

const nothing: BackupContent = { serialNumber: undefined, values: new Map() };

/**
 * What a backup file tells. Nothing for one that a scanner refuses whole, which has to say why. Undefined for one of
 * another form, as devices may write them when they encrypt: it may hold anything.
 */
export async function contentOf(file: Uint8Array, passphrase = ''): Promise<BackupContent | undefined> {
  const { decrypted, isContainer, RestoreRefused, valueOfEntry } = await import(
    '@azimuth/device/backup-restore'
  );
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

/** Undefined for what is no JSON. */
function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
