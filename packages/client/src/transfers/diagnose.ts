import { diagnosisDumpName, isObject } from '@azimuth/model';
import { NotDoneError } from '../errors.js';
import { longestArchive } from '../limits.js';
import type { Download, Progress } from './file-transfer.js';
import { methodTimeout, type TransferContext } from './job.js';

export interface DiagnoseOptions {
  /** A plain file name that the archive is kept under on the scanner as well, up to 64 characters. */
  readonly output?: string | undefined;
  /** Suspends measuring while the archive is made. */
  readonly runlevelLoop?: boolean | undefined;
  /** ms that the scanner may take to make it; 300 000 by default. */
  readonly timeoutMs?: number | undefined;
  readonly onProgress?: Progress | undefined;
}

const method = 'DoDiagnosisDump';

/** Has the scanner make a diagnostic archive, and fetches it: a zip. @throws NotDoneError if it makes none. */
export async function diagnose(
  { calls, files }: TransferContext,
  { output, runlevelLoop, timeoutMs = methodTimeout, onProgress = () => undefined }: DiagnoseOptions,
): Promise<Download> {
  const request = {
    DoRunlevelLoop: runlevelLoop,
    Output: output,
  };
  const response = await calls.callAny(method, request, { timeoutMs });
  // Devices spell it with two l, one description of them with one.
  const { Successfull, Successful } = isObject(response) ? response : {};
  if (Successfull !== true && Successful !== true)
    throw NotDoneError.refused(method, 'Successfull false', "the scanner's log says why");
  return files.open('crown/file', { filePath: diagnosisDumpName }, { onProgress, limit: longestArchive });
}
