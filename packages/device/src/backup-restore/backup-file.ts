import { hash } from 'node:crypto';
import type { Level } from '@azimuth/model';

/** A parameter in a backup file. */
export interface BackupEntry {
  readonly name: string;
  readonly id: string;
  /** An integer, boolean, string, object or number. */
  readonly value: unknown;
}

/** The parameters that one user level may write. */
export interface BackupGroup {
  readonly userlevel: Level;
  readonly parameters: readonly BackupEntry[];
}

/** What a backup file tells (specification, Parameter backup file). */
export interface Backup {
  /** The firmware version of the scanner, as DeviceIdent tells it: `2.4.4.0R`. */
  readonly version: string;
  /** The device type, as DeviceIdent tells it. */
  readonly deviceIdentification: string;
  /**
   * Of the scanner that it was made of, for people and programs: a restore does not look at it. Not of the specification,
   * so a file may lack it.
   */
  readonly serialNumber?: string;
  readonly parameters: readonly BackupGroup[];
}

/** What stands for the checksum while it is taken. */
const noChecksum = '0'.repeat(64);

/** The file: JSON with a line for each parameter, and a checksum over all of its bytes. */
export function encodeBackup({ version, deviceIdentification, serialNumber, parameters }: Backup): Buffer {
  const members = [
    `"version": ${JSON.stringify(version)}`,
    `"device identification": ${JSON.stringify(deviceIdentification)}`,
    ...(serialNumber === undefined ? [] : [`"serial number": ${JSON.stringify(serialNumber)}`]),
    `"checksum": "${noChecksum}"`,
    `"parameters": [\n${parameters.map(groupInLines).join(',\n')}\n]`,
  ];
  const text = `{\n${members.join(',\n')}\n}\n`;
  const file = Buffer.from(text);
  file.write(hash('sha256', file), file.indexOf(`"${noChecksum}"`) + 1, 'latin1');
  return file;
}

/**
 * The checksum that belongs to a file: SHA-256 over its bytes, with 64 zeros in place of the checksum that it tells.
 * Undefined where that does not stand in it exactly once. Over the bytes and not over what they mean, so that no bit
 * can change unnoticed.
 */
export function checksumOf(file: Uint8Array, told: string): string | undefined {
  const bytes = Buffer.from(file);
  const at = bytes.indexOf(`"${told}"`);
  if (at < 0 || bytes.indexOf(`"${told}"`, at + 1) >= 0) return undefined;
  bytes.write(noChecksum, at + 1, 'latin1');
  return hash('sha256', bytes);
}

function groupInLines({ userlevel, parameters }: BackupGroup): string {
  const entries = parameters.map((entry) => JSON.stringify(entry));
  return `{"userlevel": ${JSON.stringify(userlevel)}, "parameters": [\n${entries.join(',\n')}\n]}`;
}
