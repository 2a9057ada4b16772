import { diagnosisDumpName, isObject, JobStatus, RestoreResult } from '@azimuth/model';
import { NotDoneError, UnreachableError } from '../errors.js';
import { maxArchiveBytes, maxBackupBytes } from '../limits.js';
import { WaitLimit } from '../reboot.js';
import type { Download, Progress } from './file-transfer.js';
import {
  callAndRequireDone,
  callSlowMethod,
  jobTimeout,
  methodTimeout,
  type RebootContext,
  requireDone,
  type TransferContext,
  waitForJob,
} from './job.js';

export interface BackupOptions {
  /** Encrypts the file, up to 256 characters; without one it is readable. */
  readonly passphrase?: string | undefined;
  /** Time limit in ms for the scanner to write it; 600 000 by default. */
  readonly timeoutMs?: number | undefined;
  readonly onProgress?: Progress | undefined;
}

/** Requests a backup file from the scanner, and fetches it (specification, Backup and restore). */
export async function backup(
  { calls, files, clock }: TransferContext,
  { passphrase, timeoutMs = jobTimeout, onProgress = () => undefined }: BackupOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const method = 'CreateParameterBackup';
  const limit = new WaitLimit(clock, timeoutMs);
  await callAndRequireDone(calls, limit, method, { Passphrase: passphrase });
  const outcome = await waitForJob(calls, limit, 'CreateParameterBackupResult', isFinished);
  if (outcome?.Result === false) throw NotDoneError.refused(method, 'Result false');
  return (await files.get('parameterbackup', { onProgress, limit: maxBackupBytes })).bytes();
}

/** True if a job of this group is finished. */
function isFinished({ Status }: Readonly<Record<string, unknown>>): boolean {
  return Status === JobStatus.Finished;
}

export interface RestoreOptions {
  /** The passphrase of the file. */
  readonly passphrase?: string | undefined;
  /** The parameters to restore, as a uint32 with the meaning of the scanner; all by default. */
  readonly filter?: number | undefined;
  /** Time limit in ms after the upload, including a reboot; 600 000 by default. */
  readonly timeoutMs?: number | undefined;
}

export interface Restored {
  /** Names of the parameters that were not restored. */
  readonly failed: readonly string[];
  /** True if the scanner has rebooted. It is back now. */
  readonly rebooted: boolean;
}

type Json = Readonly<Record<string, unknown>>;

const method = 'RestoreParameterBackup';

/**
 * Sends a backup file, and lets the scanner restore it. The scanner may reboot.
 * @throws NotDoneError whose outcome is the name of a RestoreResult: `DecryptionError`.
 */
export async function restore(
  context: RebootContext,
  file: Uint8Array<ArrayBuffer>,
  { passphrase, filter, timeoutMs = jobTimeout }: RestoreOptions,
): Promise<Restored> {
  const { calls, files } = context;
  const form = new FormData();
  form.append('datei', new Blob([file], { type: 'application/octet-stream' }), 'parameterbackup.json');
  await files.uploadForm('parameterbackup', form);
  const limit = new WaitLimit(context.clock, timeoutMs, 'after it had the file');
  const response = await callSlowMethod(calls, limit, method, {
    Passphrase: passphrase,
    Filter: filter,
  });
  // Some devices state the outcome in the response, others in a variable. Both say more than the flag.
  refuse(response);
  requireDone(method, response);
  const { outcome, rebooted } = await followed(context, limit);
  refuse(outcome ?? {});
  return { failed: failedParameters(outcome ?? response), rebooted };
}

/** Returns the final value of the variable; none if the scanner does not have it, or if a reboot has reset it. */
async function followed({ calls, rebooted }: RebootContext, limit: WaitLimit) {
  const variable = 'RestoreParameterBackupResult';
  try {
    return { outcome: await waitForJob(calls, limit, variable, isFinished), rebooted: false };
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
  }
  await rebooted(limit);
  const after = await waitForJob(calls, limit, variable, () => true);
  return { outcome: after !== undefined && isFinished(after) ? after : undefined, rebooted: true };
}

/** Explanations of the results, if a person can do something about them. */
const meanings: Readonly<Record<string, string>> = {
  ChecksumError: 'the file was edited or damaged after the scanner made it; make a new backup',
  ParseError: 'the file is damaged, or no backup file',
  DeviceIdentificationError: 'the file is of another type of scanner',
  DecryptionError: 'the passphrase is wrong or missing, or the file was damaged',
  DecryptionHeaderError:
    'a passphrase was given and the file is not encrypted, or it is encrypted in another format',
  DecryptionLengthError: 'the file was cut off, or something was added to it; make a new backup',
  VersionConversionError: 'the file is of a release that this one cannot convert',
};

function refuse({ RestoreResult: number = RestoreResult.Ok }: Json): void {
  if (number === RestoreResult.Ok) return;
  const name = Object.entries(RestoreResult).find(([, value]) => value === number)?.[0];
  throw NotDoneError.refused(method, name ?? `RestoreResult ${String(number)}`, meanings[name ?? '']);
}

function failedParameters({ ParametersFailedToRestore: failed }: Json): readonly string[] {
  return Array.isArray(failed) ? failed.map(String) : [];
}

export interface DiagnoseOptions {
  /** A plain file name for the copy on the scanner, up to 64 characters. */
  readonly output?: string | undefined;
  /** Suspends measuring while the archive is made. */
  readonly runlevelLoop?: boolean | undefined;
  /** Time limit in ms for the scanner to make it; 300 000 by default. */
  readonly timeoutMs?: number | undefined;
  readonly onProgress?: Progress | undefined;
}

const dumpMethod = 'DoDiagnosisDump';

/** Lets the scanner make a diagnostic archive, and fetches it: a zip. @throws NotDoneError if it makes none. */
export async function diagnose(
  { calls, files }: TransferContext,
  { output, runlevelLoop, timeoutMs = methodTimeout, onProgress = () => undefined }: DiagnoseOptions,
): Promise<Download> {
  const request = { DoRunlevelLoop: runlevelLoop, Output: output };
  const response = await calls.callAny(dumpMethod, request, { timeoutMs });
  // Devices spell it with two l, one description of them with one.
  const { Successfull, Successful } = isObject(response) ? response : {};
  if (Successfull !== true && Successful !== true)
    throw NotDoneError.refused(dumpMethod, 'Successfull false', "the scanner's log says why");
  return files.open('crown/file', { filePath: diagnosisDumpName }, { onProgress, limit: maxArchiveBytes });
}
