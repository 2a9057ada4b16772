import { isObject } from '@azimuth/model';
import type { Calls } from '../calls.js';
import { methodNamed } from '../endpoint.js';
import { NotDoneError, ScannerError } from '../errors.js';
import type { FileTransfers } from './file-transfer.js';

type Json = Readonly<Record<string, unknown>>;

/** How long (ms) a call may take of a method that is answered only when its work is done. */
export const methodTimeout = 300_000;
/** How often a job is looked at (ms), and for how long. */
const pollInterval = 250;
const jobTimeout = 600_000;

export interface TransferContext {
  readonly calls: Calls;
  readonly files: FileTransfers;
  readonly pause: (ms: number) => Promise<void>;
}

/** Calls a method that may take minutes, and gives its unchecked response. */
export async function callSlowMethod(calls: Calls, name: string, request: Json): Promise<Json> {
  const response = await calls.callAny(name, request, { timeoutMs: methodTimeout });
  return isObject(response) ? response : {};
}

/** @throws NotDoneError if the response is a refusal. Some devices leave the member out: that is not a refusal. */
export function refuseUnlessDone(name: string, response: Json): void {
  const method = methodNamed(name);
  const refusal = method?.refusalIn({ ...method.facts.done, ...response });
  if (refusal !== undefined) throw NotDoneError.refused(name, refusal);
}

/** Calls a method that may take minutes. @throws NotDoneError if its response is a refusal. */
export async function callAndRequireDone(calls: Calls, name: string, request: Json): Promise<Json> {
  const response = await callSlowMethod(calls, name, request);
  refuseUnlessDone(name, response);
  return response;
}

/**
 * The variable with the result of a job, when the job is finished; undefined if the scanner has no such variable:
 * then the job was finished when its method was answered.
 * @throws NotDoneError if the job does not finish within ten minutes; UnreachableError
 */
export async function waitForJob(
  calls: Calls,
  pause: TransferContext['pause'],
  variable: string,
  isFinished: (value: Json) => boolean,
): Promise<Json | undefined> {
  for (let waited = 0; waited <= jobTimeout; waited += pollInterval) {
    const value = await valueIfKnown(calls, variable);
    if (value === undefined) return undefined;
    if (isFinished(value)) return value;
    await pause(pollInterval);
  }
  throw new NotDoneError(variable, 'Pending', `not finished within ${jobTimeout / 60_000} minutes`);
}

async function valueIfKnown(calls: Calls, variable: string): Promise<Json | undefined> {
  try {
    const value = await calls.readAny(variable);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof ScannerError && error.statusName === 'notFound') return undefined;
    throw error;
  }
}
