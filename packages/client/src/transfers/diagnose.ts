import { isObject } from '@azimuth/model';
import { NotDoneError } from '../errors.js';
import type { Download, Progress } from './file-transfer.js';
import type { TransferContext } from './job.js';

export interface DiagnoseOptions {
  /** A plain file name that the archive is kept under on the scanner as well, up to 64 characters. */
  readonly output?: string;
  /** Suspends measuring meanwhile. */
  readonly runlevelLoop?: boolean;
  readonly onProgress?: Progress;
}

const method = 'DoDiagnosisDump';
const usualName = 'diagnosisDump.zip';
/** Milliseconds that a scanner may take to make an archive. */
const methodTimeout = 300_000;

/** Has the scanner make a diagnostic archive, and fetches it: a zip. @throws NotDoneError if it makes none. */
export async function diagnose(
  { calls, files }: TransferContext,
  { output, runlevelLoop, onProgress = () => undefined }: DiagnoseOptions,
): Promise<Download> {
  const request = {
    ...(runlevelLoop === undefined ? {} : { DoRunlevelLoop: runlevelLoop }),
    ...(output === undefined ? {} : { Output: output }),
  };
  const response = await calls.callAny(method, request, { timeoutMs: methodTimeout });
  // Devices spell it with two l, one description of them with one.
  const { Successfull, Successful } = isObject(response) ? response : {};
  if (Successfull !== true && Successful !== true)
    throw new NotDoneError(method, 'Successfull is false', "the scanner's log says why");
  return files.open('crown/file', { filePath: usualName }, onProgress);
}
