import { JobStatus } from '@azimuth/model';
import type { Calls } from '../calls.js';
import { NotDoneError } from '../errors.js';
import type { FileChannel } from './file-channel.js';
import { carryOut, finished, type Pause } from './job.js';
import type { Progress } from './source.js';

export interface BackupOptions {
  /** Encrypts the file, up to 256 characters; without one it is readable. */
  readonly passphrase?: string;
  readonly onProgress?: Progress;
}

export interface Means {
  readonly calls: Calls;
  readonly files: FileChannel;
  readonly pause: Pause;
}

/** Has the scanner write its parameters into a backup file, and fetches it (specification, Backup and restore). */
export async function backup(
  { calls, files, pause }: Means,
  { passphrase, onProgress = () => undefined }: BackupOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const method = 'CreateParameterBackup';
  await carryOut(calls, method, passphrase === undefined ? {} : { Passphrase: passphrase });
  const outcome = await finished(calls, pause, 'CreateParameterBackupResult', isFinished);
  if (outcome?.Result === false) throw new NotDoneError(method, 'Result');
  return (await files.get('parameterbackup', onProgress)).bytes();
}

/** Has a job of this group come to its end? */
export function isFinished({ Status }: Readonly<Record<string, unknown>>): boolean {
  return Status === JobStatus.Finished;
}
