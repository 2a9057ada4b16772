import { diagnosisDumpName, isObject, JobStatus, RestoreResult } from '@azimuth/model';
import { NotDoneError, UnreachableError } from '../errors.js';
import { longestArchive, longestBackup } from '../limits.js';
import { WaitLimit } from '../reboot.js';
import type { Download, Progress } from './file-transfer.js';
import {
  callAndRequireDone,
  callSlowMethod,
  jobTimeout,
  methodTimeout,
  type RebootContext,
  refuseUnlessDone,
  type TransferContext,
  waitForJob,
} from './job.js';

export interface BackupOptions {
  /** Encrypts the file, up to 256 characters; without one it is readable. */
  readonly passphrase?: string | undefined;
  /** ms that the scanner may take to write it; 600 000 by default. */
  readonly timeoutMs?: number | undefined;
  readonly onProgress?: Progress | undefined;
}

/** Has the scanner write its parameters into a backup file, and fetches it (specification, Backup and restore). */
export async function backup(
  { calls, files, clock }: TransferContext,
  { passphrase, timeoutMs = jobTimeout, onProgress = () => undefined }: BackupOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const method = 'CreateParameterBackup';
  const limit = new WaitLimit(clock, timeoutMs);
  await callAndRequireDone(calls, limit, method, { Passphrase: passphrase });
  const outcome = await waitForJob(calls, limit, 'CreateParameterBackupResult', isFinished);
  if (outcome?.Result === false) throw NotDoneError.refused(method, 'Result false');
  return (await files.get('parameterbackup', { onProgress, limit: longestBackup })).bytes();
}

/** Has a job of this group come to its end? */
function isFinished({ Status }: Readonly<Record<string, unknown>>): boolean {
  return Status === JobStatus.Finished;
}

export interface RestoreOptions {
  /** What the file was encrypted with. */
  readonly passphrase?: string | undefined;
  /** Which parameters to restore, as a uint32 of the scanner's meaning; all by default. */
  readonly filter?: number | undefined;
  /** ms that the scanner may take once it has the file, with a reboot if there is one; 600 000 by default. */
  readonly timeoutMs?: number | undefined;
}

export interface Restored {
  /** Parameters that stay as they were, by name. */
  readonly failed: readonly string[];
  /** Whether the scanner has rebooted. It is back now. */
  readonly rebooted: boolean;
}

type Json = Readonly<Record<string, unknown>>;

const method = 'RestoreParameterBackup';

/**
 * Sends a backup file, and has the scanner restore it. A scanner may reboot to do so.
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
  await files.putForm('parameterbackup', form);
  const limit = new WaitLimit(context.clock, timeoutMs, 'after it had the file');
  const reply = await callSlowMethod(calls, limit, method, {
    Passphrase: passphrase,
    Filter: filter,
  });
  // Some devices state the outcome in the reply, others in a variable. The flag says less than either.
  refuse(reply);
  refuseUnlessDone(method, reply);
  const { outcome, rebooted } = await followed(context, limit);
  refuse(outcome ?? {});
  return { failed: failedOf(outcome ?? reply), rebooted };
}

/** The value of the variable at the end; none if the scanner does not have it, or if a reboot has reset it. */
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

/** What to know about the results that a person can do something about. */
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

function failedOf({ ParametersFailedToRestore: failed }: Json): readonly string[] {
  return Array.isArray(failed) ? failed.map(String) : [];
}

export interface DiagnoseOptions {
  /** A plain file name that the archive is kept under on the scanner as well, up to 64 characters. */
  readonly output?: string | undefined;
  /** Suspends measuring while the archive is made. */
  readonly runlevelLoop?: boolean | undefined;
  /** ms that the scanner may take to make it; 300 000 by default. */
  readonly timeoutMs?: number | undefined;
  readonly onProgress?: Progress | undefined;
}

const dumpMethod = 'DoDiagnosisDump';

/** Has the scanner make a diagnostic archive, and fetches it: a zip. @throws NotDoneError if it makes none. */
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
  return files.open('crown/file', { filePath: diagnosisDumpName }, { onProgress, limit: longestArchive });
}
