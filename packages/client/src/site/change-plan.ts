import { allParameters } from '@azimuth/model';
import type { Calls } from '../calls.js';
import { storedParameters } from '../parameters/parameter-set.js';
import { currentValues } from '../restore/current-values.js';
import {
  type PlannedParameter,
  type PlanOptions,
  parametersIn,
  plannedChanges,
  wireName,
} from '../restore/restore-plan.js';
import { completed } from './completed.js';
import { type UnsavedParameter, unsavedOf } from './unsaved.js';

/** What has to be done so that a scanner has the values that are wanted, and keeps them. */
export interface ChangePlan {
  /** Each parameter that is wanted, in the order in which they are written. */
  readonly parameters: readonly PlannedParameter[];
  /**
   * What somebody has changed and not saved. A save stores it, too. Undefined if the scanner does not tell what it stored.
   */
  readonly unsaved: readonly UnsavedParameter[] | undefined;
}

/**
 * Compares a scanner with the values that are wanted. It only reads.
 * @param wanted JSON values by the names of the parameters. Members of structs may be left out: they keep their value
 * @throws ClientError
 */
export async function changePlan(
  scanner: Pick<Calls, 'readAny'>,
  wanted: ReadonlyMap<string, unknown>,
  options: PlanOptions = {},
): Promise<ChangePlan> {
  const stored = await storedParameters(scanner);
  const names = new Set([...parametersIn({ values: wanted }), ...(stored?.keys() ?? [])]);
  const now = await currentValues(scanner, [...names]);
  return {
    parameters: plannedChanges(wholeValues(wanted, now), now, options),
    unsaved: stored === undefined ? undefined : unsavedOf(stored, now),
  };
}

/** The parameters that a plan writes. */
export function writesOf({ parameters }: ChangePlan): readonly PlannedParameter[] {
  return parameters.filter(({ act }) => act === 'write');
}

/** The parameters that are wanted as they are, but would be lost in a power cut. */
export function savesOf({ parameters, unsaved = [] }: ChangePlan): readonly PlannedParameter[] {
  return parameters.filter(
    ({ act, name }) => act === 'same' && unsaved.some((parameter) => parameter.name === name),
  );
}

/** What others have left unsaved: a save stores it, though nobody wants it here. */
export function unsavedByOthers({ parameters, unsaved = [] }: ChangePlan): readonly UnsavedParameter[] {
  const own = new Set(parameters.filter(({ act }) => act !== 'skip').map(({ name }) => name));
  return unsaved.filter(({ name }) => !own.has(name));
}

/** Is there nothing to write and nothing to save? */
export function isDone(plan: ChangePlan): boolean {
  return writesOf(plan).length === 0 && savesOf(plan).length === 0;
}

function wholeValues(
  wanted: ReadonlyMap<string, unknown>,
  now: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, unknown> {
  const whole = new Map(wanted);
  for (const variable of allParameters) {
    const value = whole.get(variable.name);
    if (value === undefined) continue;
    whole.set(variable.name, completed(variable.type.shape, value, now.get(wireName(variable))));
  }
  return whole;
}
