import { createHash } from 'node:crypto';
import { isObject } from '@azimuth/model';
import type { TestDevice } from '@azimuth/test-support/test-device';

/** Content of a plain backup file, to be altered. */
export interface PlainBackup {
  version: string;
  'device identification': string;
  'serial number'?: string;
  checksum: string;
  parameters: { userlevel: string; parameters: { name: string; id: string; value: unknown }[] }[];
}

/** The stored backup file of a scanner. */
export async function fileOf(testDevice: TestDevice): Promise<Buffer> {
  const file = await testDevice.device.features.backups.file();
  if (file === undefined) throw new Error('there is no backup file');
  return Buffer.from(file);
}

/** A fresh backup of a scanner, without a passphrase. */
export async function plainBackup(testDevice: TestDevice): Promise<Buffer> {
  await testDevice.respond('CreateParameterBackup', { Passphrase: '' });
  return fileOf(testDevice);
}

/** An altered file with a right checksum. */
export function altered(file: Buffer, alter: (backup: PlainBackup) => void): Buffer {
  const backup: unknown = JSON.parse(file.toString());
  assertBackup(backup);
  alter(backup);
  return withChecksum(backup);
}

/** The file with its documented checksum: SHA-256 over it, with zeros in place of the checksum. */
export function withChecksum(backup: object): Buffer {
  const zeros = '0'.repeat(64);
  const text = JSON.stringify({ ...backup, checksum: zeros });
  return Buffer.from(text.replace(zeros, createHash('sha256').update(text).digest('hex')));
}

/** Puts a file on the scanner and restores it. */
export async function restored(
  testDevice: TestDevice,
  file: Uint8Array,
  request: object = {},
): Promise<unknown> {
  await testDevice.device.features.backups.receive(file);
  return testDevice.respond('RestoreParameterBackup', request);
}

/** The response to a refused restore. */
export function refusal(RestoreResult: number, ...ParametersFailedToRestore: string[]): object {
  return { Result: false, RestoreResult, ParametersFailedToRestore };
}

export const success = { Result: true, RestoreResult: 0, ParametersFailedToRestore: [] };

export function idOf(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 8);
}

function assertBackup(json: unknown): asserts json is PlainBackup {
  if (!isObject(json) || !Array.isArray(json.parameters)) throw new Error('this is no backup');
}
