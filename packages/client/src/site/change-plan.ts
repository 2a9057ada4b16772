import { allParameters, isObject, type Shape, type Variable } from '@azimuth/model';
import type { Calls } from '../calls.js';
import { storedParameters } from '../parameters/parameter-set.js';
import { currentValues } from '../restore/current-values.js';
import {
  type PlannedParameter,
  type PlanOptions,
  parametersIn,
  plannedChanges,
  sameValue,
  wireName,
} from '../restore/restore-plan.js';

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

/**
 * A value with the members that a part of it leaves out. Structs are completed at every depth, and so are the items of
 * lists of a fixed length, such as the eight ports. An item of any other list is taken as it is, because it may be another
 * one than the item that was there.
 * @param part JSON; what is not of the shape is returned unchanged
 * @param base the value that the members come from; if it is undefined, they stay out
 */
export function completed(shape: Shape, part: unknown, base: unknown): unknown {
  if (shape.kind === 'struct' && isObject(part)) {
    const members = isObject(base) ? base : {};
    const given = Object.entries(part).map(([name, value]): [string, unknown] => {
      const member = Object.hasOwn(shape.members, name) ? shape.members[name] : undefined;
      return [name, member === undefined ? value : completed(member.shape, value, members[name])];
    });
    return { ...members, ...Object.fromEntries(given) };
  }
  if (shape.kind === 'array' && shape.minItems === shape.maxItems && Array.isArray(part)) {
    const items: readonly unknown[] = Array.isArray(base) ? base : [];
    return part.map((item, index) => completed(shape.of, item, items[index]));
  }
  return part;
}

/** A parameter whose working value is not saved: a power cut would undo it. */
export interface UnsavedParameter {
  /** As it is read and written. */
  readonly name: string;
  readonly variable: Variable<unknown>;
  readonly stored: unknown;
  readonly working: unknown;
}

/** The parameters whose working value differs from the stored one, in the order of the interface. */
export function unsavedOf(
  stored: ReadonlyMap<string, unknown>,
  working: ReadonlyMap<string, unknown>,
): readonly UnsavedParameter[] {
  return allParameters.flatMap((variable) => {
    const name = wireName(variable);
    if (!stored.has(name) || !working.has(name)) return [];
    const values = { stored: stored.get(name), working: working.get(name) };
    return sameValue(variable, values.stored, values.working) ? [] : [{ name, variable, ...values }];
  });
}
