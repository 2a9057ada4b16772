import { general, isObject } from '@azimuth/model';
import type { Calls } from '../calls.js';
import { AnswerError, ClientError, NotDoneError, UnreachableError } from '../errors.js';
import { currentValues } from '../restore/current-values.js';
import {
  type PlannedParameter,
  sameValue,
  type WriteOptions,
  writeParameters,
} from '../restore/restore-plan.js';
import { type ChangePlan, isDone, parametersToWrite } from './change-plan.js';

/** The reason why a plan was not carried out: a parameter, or the save. */
export interface ApplyFailure {
  /** Name of the parameter; empty for the save. */
  readonly name: string;
  readonly reason: string;
  /** The error; undefined if the scanner carried out the request with another result. */
  readonly error?: ClientError;
}

/** Result of a plan. */
export interface Applied {
  readonly outcome: /** The scanner had all values already, and had saved them. */
    | 'unchanged'
    /** The values are written, read back, and saved. */
    | 'saved'
    /** Something failed. The written values have been set back, except those in `left`. Nothing is saved. */
    | 'undone'
    /** The values are written and read back. The save was not answered: it may be done or not. */
    | 'unknown';
  readonly written: readonly PlannedParameter[];
  readonly failures: readonly ApplyFailure[];
  /** The parameters that have, or may have, the written value, and not the one from before. */
  readonly left: readonly PlannedParameter[];
}

const { WriteEeprom } = general.members;

/**
 * Carries a plan out: writes the values, reads them back, and saves only then. If anything fails before the save, the
 * written values are set back, the last one first. Nothing is written if a value has changed since the plan was made.
 * It rejects only with errors that are no ClientError.
 */
export async function applyPlan(
  scanner: Pick<Calls, 'readAny' | 'writeAny' | 'callAny'>,
  plan: ChangePlan,
  options: WriteOptions = {},
): Promise<Applied> {
  if (isDone(plan)) return { outcome: 'unchanged', written: [], failures: [], left: [] };
  const parameters = parametersToWrite(plan);
  const changedSince = await changedSincePlan(scanner, parameters);
  if (changedSince.length > 0) return { outcome: 'undone', written: [], failures: changedSince, left: [] };
  const results = await writeParameters(scanner, parameters, options);
  const sent = parameters.filter((_, index) => isSent(results[index]?.outcome));
  const refused = results
    .filter(({ outcome }) => outcome === 'refused' || outcome === 'unanswered')
    .map(({ name, reason, error }) => failure(name, reason, error));
  const stopped = results.filter(({ outcome }) => outcome === 'left').slice(0, 1);
  const failed =
    refused.length > 0 ? refused : stopped.map(({ reason, error }) => failure('', reason, error));
  if (failed.length > 0) return undo(scanner, sent, failed);
  const other = await differences(scanner, parameters);
  if (other.length > 0) return undo(scanner, sent, other);
  const unsaved = await saveFailure(scanner);
  if (unsaved === undefined) return { outcome: 'saved', written: parameters, failures: [], left: [] };
  if (mayBeSaved(unsaved.error))
    return { outcome: 'unknown', written: parameters, failures: [unsaved], left: [] };
  return undo(scanner, sent, [unsaved]);
}

/** Sets written parameters back, the last one first. */
async function undo(
  scanner: Pick<Calls, 'writeAny'>,
  sent: readonly PlannedParameter[],
  failures: readonly ApplyFailure[],
): Promise<Applied> {
  const before = sent.toReversed().map(({ name, from }) => ({ name, to: from }));
  const results = await writeParameters(scanner, before);
  const left = new Set(results.filter(({ outcome }) => outcome !== 'written').map(({ name }) => name));
  return { outcome: 'undone', written: [], failures, left: sent.filter(({ name }) => left.has(name)) };
}

/** Returns the parameters whose values differ from those of the plan. */
async function changedSincePlan(
  scanner: Pick<Calls, 'readAny'>,
  parameters: readonly PlannedParameter[],
): Promise<readonly ApplyFailure[]> {
  return compared(scanner, parameters, ({ from }) => from, 'it has changed since the plan was made');
}

/** Returns the parameters whose values differ from the written ones. */
async function differences(
  scanner: Pick<Calls, 'readAny'>,
  parameters: readonly PlannedParameter[],
): Promise<readonly ApplyFailure[]> {
  return compared(scanner, parameters, ({ to }) => to, 'the scanner took the value, but has another one');
}

async function compared(
  scanner: Pick<Calls, 'readAny'>,
  parameters: readonly PlannedParameter[],
  expected: (parameter: PlannedParameter) => unknown,
  reason: string,
): Promise<readonly ApplyFailure[]> {
  try {
    const now = await currentValues(
      scanner,
      parameters.map(({ name }) => name),
    );
    return parameters
      .filter((parameter) => {
        const { variable, name } = parameter;
        return variable === undefined || !sameValue(variable, now.get(name), expected(parameter));
      })
      .map(({ name }) => failure(name, reason));
  } catch (error) {
    if (error instanceof ClientError) return [failure('', error.message, error)];
    throw error;
  }
}

async function saveFailure(scanner: Pick<Calls, 'callAny'>): Promise<ApplyFailure | undefined> {
  try {
    const response = await scanner.callAny(WriteEeprom.name);
    const refusal = WriteEeprom.refusalIn(isObject(response) ? response : {});
    if (refusal === undefined) return undefined;
    throw NotDoneError.refused(WriteEeprom.name, refusal);
  } catch (error) {
    if (error instanceof ClientError) return failure('', error.message, error);
    throw error;
  }
}

/** True if the scanner may have saved although the call failed. */
function mayBeSaved(error: ClientError | undefined): boolean {
  return error instanceof UnreachableError || error instanceof AnswerError;
}

function isSent(outcome: string | undefined): boolean {
  return outcome === 'written' || outcome === 'unanswered';
}

function failure(name: string, reason: string, error?: ClientError): ApplyFailure {
  return { name, reason, error };
}
