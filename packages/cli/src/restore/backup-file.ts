import { type BackupContent, backupContent, emptyBackup, type OtherUnit } from '@azimuth/client';
import { decrypted, isContainer, RestoreRefused } from '@azimuth/device/backup-restore';

/** Reads a backup file as backupContent does, an encrypted one with its passphrase. */
export async function contentOf(file: Uint8Array, passphrase = ''): Promise<BackupContent | undefined> {
  if (!isContainer(file)) return backupContent(file);
  try {
    return backupContent(await decrypted(file, passphrase));
  } catch (error) {
    if (error instanceof RestoreRefused) return emptyBackup;
    throw error;
  }
}

/** For a file that this computer cannot read, why it may be a backup of another scanner. */
export function unreadableUnit(path: string): string {
  return `${path} is in a format that only the scanner can read; it may contain the address and the name of another scanner`;
}

/** Why a backup may be of another scanner, in words. */
export function otherUnitText(path: string, url: string, { backup, here, changed }: OtherUnit): string {
  const units = `${path} is a backup of ${backup}, and ${url} is ${here}`;
  return changed.length === 0
    ? units
    : `${units}, which may be another one: ${changed.join(', ')} would change`;
}
