import { isObject } from '@azimuth/model';
import type { Calls } from '../calls.js';
import { methodNamed } from '../endpoint.js';
import { NotDoneError, ScannerError } from '../errors.js';
import type { FileTransfers } from './file-transfer.js';

type Json = Readonly<Record<string, unknown>>;

/** A method that works until it is done: releases before 2.3.1 answer only then. Milliseconds. */
const methodTimeout = 300_000;
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

/** @throws NotDoneError if a response says no. A member that devices leave out says nothing. */
export function refuseUnlessDone(name: string, response: Json): void {
  const { done = {} } = methodNamed(name)?.facts ?? {};
  const refusal = Object.entries(done).find(
    ([member, value]) => Object.hasOwn(response, member) && response[member] !== value,
  );
  if (refusal !== undefined) throw new NotDoneError(name, refusal[0]);
}

/** Calls a method that may take minutes. @throws NotDoneError if its response says no. */
export async function callAndRequireDone(calls: Calls, name: string, request: Json): Promise<Json> {
  const response = await callSlowMethod(calls, name, request);
  refuseUnlessDone(name, response);
  return response;
}

/**
 * The variable that tells how a job went, once the job is finished; undefined if the scanner has no such variable:
 * then the job was finished when its method was answered.
 * @throws NotDoneError if it does not come to its end within ten minutes; UnreachableError
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
