import { type BackupContent, backupContent, emptyBackup, type OtherUnit } from '@azimuth/client';
import { decodeBackup, decrypted, isContainer, RestoreRefused } from '@azimuth/device/backup-restore';
import { CommandFailure } from '../command-failure.js';

/** Reads a backup file as backupContent does, an encrypted one with its passphrase. */
export async function readBackupContent(
  file: Uint8Array,
  passphrase = '',
): Promise<BackupContent | undefined> {
  if (!isContainer(file)) return backupContent(file);
  try {
    return backupContent(await decrypted(file, passphrase));
  } catch (error) {
    if (error instanceof RestoreRefused) return emptyBackup;
    throw error;
  }
}

/**
 * Refuses an encrypted file without a passphrase: a scanner would refuse it.
 * @throws CommandFailure that names the option
 */
export function requirePassphrase(path: string, file: Uint8Array, passphrase = ''): void {
  if (!isContainer(file) || passphrase !== '') return;
  throw new CommandFailure(
    `${path} is encrypted: name a file with its passphrase (--passphrase-file), or set AZIMUTH_PASSPHRASE`,
  );
}

/**
 * Refuses a file that is certainly no backup: empty, or text. Any other file may be encrypted by a scanner.
 * @throws CommandFailure
 */
export async function requireBackup(path: string, file: Uint8Array): Promise<void> {
  if (file.length === 0)
    throw new CommandFailure(`${path} is empty: expected a backup file, made by azimuth backup`);
  if (isContainer(file) || backupContent(file) !== undefined) return;
  const text = textIn(file);
  if (text === undefined) return;
  if (!text.trimStart().startsWith('{'))
    throw new CommandFailure(`${path} is no backup: expected a file that azimuth backup has made`);
  const { jsonProblem } = await import('@azimuth/simulation/world');
  throw new CommandFailure(
    `${path} was cut off or edited after it was made: ${jsonProblem(text)}. Make a new backup: azimuth backup`,
  );
}

/** Returns undefined for bytes that are not text. */
function textIn(file: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(file);
    return /[^\P{Cc}\s]/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Returns the reason why a file that this computer cannot read may be a backup of another scanner. */
export function unreadableUnit(path: string): string {
  return `${path} is in a format that only the scanner can read; it may contain the address and the name of another scanner`;
}

/** Returns the reasons why a backup may be of another scanner, in words. */
export function otherUnitText(path: string, url: string, { backup, here, changed }: OtherUnit): string {
  const units = `${path} is a backup of ${backup}, and ${url} is ${here}`;
  return changed.length === 0
    ? units
    : `${units}, which may be another one: ${changed.join(', ')} would change`;
}

/**
 * Refuses an edited or damaged file. The scanner does this itself, unless its parameters are written one by one. Only
 * files with a serial number are checked: devices make others, with checksums of their own.
 * @throws CommandFailure
 */
export async function requireUndamaged(path: string, file: Uint8Array, passphrase = ''): Promise<void> {
  try {
    const plain = isContainer(file) ? await decrypted(file, passphrase) : file;
    if (backupContent(plain)?.serialNumber !== undefined) decodeBackup(plain);
  } catch (error) {
    if (!(error instanceof RestoreRefused)) throw error;
    throw new CommandFailure(
      `${path} was edited or damaged after it was made (${error.message}); make a new backup, or give the values by a site file: azimuth apply`,
      'refused',
    );
  }
}
