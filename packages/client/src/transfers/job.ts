import { builtInInterface, isObject } from '@azimuth/model';
import type { Calls } from '../calls.js';
import { NotDoneError, ScannerError } from '../errors.js';
import type { WaitingClock, WaitLimit } from '../reboot.js';
import type { FileTransfers } from './file-transfer.js';

type Json = Readonly<Record<string, unknown>>;

/** Time limit (ms) for a call whose method is answered only when its work is done. */
export const methodTimeout = 300_000;
/** Poll interval and default time limit of a job (ms). */
const pollInterval = 250;
export const jobTimeout = 600_000;

export interface TransferContext {
  readonly calls: Calls;
  readonly files: FileTransfers;
  readonly clock: WaitingClock;
}

/** The context of a job that may end with a reboot. */
export interface RebootContext extends TransferContext {
  readonly rebooted: (limit: WaitLimit) => Promise<void>;
}

/** Calls a method that may take minutes. Returns its unchecked response. */
export async function callSlowMethod(
  calls: Calls,
  limit: WaitLimit,
  name: string,
  request: Json,
): Promise<Json> {
  const response = await calls.callAny(name, request, {
    timeoutMs: Math.min(methodTimeout, limit.remaining),
  });
  return isObject(response) ? response : {};
}

/** @throws NotDoneError if the response is a refusal. Some devices leave the member out: that is not a refusal. */
export function requireDone(name: string, response: Json): void {
  const method = builtInInterface.method(name);
  const refusal = method?.refusalIn({ ...method.facts.done, ...response });
  if (refusal !== undefined) throw NotDoneError.refused(name, refusal);
}

/** Calls a method that may take minutes. @throws NotDoneError if its response is a refusal. */
export async function callAndRequireDone(
  calls: Calls,
  limit: WaitLimit,
  name: string,
  request: Json,
): Promise<Json> {
  const response = await callSlowMethod(calls, limit, name, request);
  requireDone(name, response);
  return response;
}

/**
 * Waits until a job is finished. Returns the variable with its result; undefined if the scanner has no such variable:
 * then the job was finished when its method was answered.
 * @throws NotDoneError if the job does not finish within the limit; UnreachableError
 */
export async function waitForJob(
  calls: Calls,
  limit: WaitLimit,
  variable: string,
  isFinished: (value: Json) => boolean,
): Promise<Json | undefined> {
  for (;;) {
    const value = await valueIfKnown(calls, variable);
    if (value === undefined) return undefined;
    if (isFinished(value)) return value;
    if (limit.isOver) throw new NotDoneError(variable, 'Pending', `it is not finished ${limit.text}`);
    await limit.pause(pollInterval);
  }
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
