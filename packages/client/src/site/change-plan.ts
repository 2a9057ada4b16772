import { builtInInterface, isObject, type KnownInterface, type Shape, type Variable } from '@azimuth/model';
import { modelOnly } from '../description.js';
import { type ParameterReader, storedParameters } from '../parameters/parameter-set.js';
import { currentValues } from '../restore/current-values.js';
import {
  type PlannedParameter,
  type PlanOptions,
  parametersIn,
  plannedChanges,
  sameValue,
} from '../restore/restore-plan.js';

/** The steps that give a scanner the wanted values, and save them. */
export interface ChangePlan {
  /** Each parameter of the plan, in the order of the writes. */
  readonly parameters: readonly PlannedParameter[];
  /**
   * Parameters that were changed by others and not saved: a save stores them, too. Undefined if the scanner does not
   * report its stored values.
   */
  readonly unsaved: readonly UnsavedParameter[] | undefined;
}

/**
 * Compares a scanner with the values that are wanted. It only reads.
 * @param wanted JSON values by the names of the parameters. Members of structs may be left out: they keep their value
 * @throws ClientError
 */
export async function changePlan(
  scanner: ParameterReader,
  wanted: ReadonlyMap<string, unknown>,
  options: PlanOptions = {},
): Promise<ChangePlan> {
  const stored = await storedParameters(scanner);
  const known = await (scanner.description ?? modelOnly).ofNames(wanted.keys());
  const names = new Set([...parametersIn({ values: wanted }, known), ...(stored?.keys() ?? [])]);
  const now = await currentValues(scanner, [...names]);
  return {
    parameters: plannedChanges(completedValues(wanted, now, known), now, { known, ...options }),
    unsaved: stored === undefined ? undefined : unsavedIn(stored, now, known),
  };
}

/** Returns the parameters that a plan writes. */
export function parametersToWrite({ parameters }: ChangePlan): readonly PlannedParameter[] {
  return parameters.filter(({ act }) => act === 'write');
}

/** Returns the parameters that already have the wanted value, but would lose it in a power cut. */
export function parametersToSave({ parameters, unsaved = [] }: ChangePlan): readonly PlannedParameter[] {
  return parameters.filter(
    ({ act, name }) => act === 'same' && unsaved.some((parameter) => parameter.name === name),
  );
}

/** Returns the other unsaved parameters: a save stores them although the plan does not contain them. */
export function unsavedByOthers({ parameters, unsaved = [] }: ChangePlan): readonly UnsavedParameter[] {
  const own = new Set(parameters.filter(({ act }) => act !== 'skip').map(({ name }) => name));
  return unsaved.filter(({ name }) => !own.has(name));
}

/** True if there is nothing to write and nothing to save. */
export function isDone(plan: ChangePlan): boolean {
  return parametersToWrite(plan).length === 0 && parametersToSave(plan).length === 0;
}

function completedValues(
  wanted: ReadonlyMap<string, unknown>,
  now: ReadonlyMap<string, unknown>,
  { parameters }: KnownInterface,
): ReadonlyMap<string, unknown> {
  const values = new Map(wanted);
  for (const { name, variable } of parameters) {
    const value = values.get(variable.name);
    if (value === undefined) continue;
    values.set(variable.name, completed(variable.type.shape, value, now.get(name)));
  }
  return values;
}

/**
 * Completes a value with the members that a part of it leaves out. Structs are completed at every depth, and so are
 * the items of lists of a fixed length, such as the eight ports. An item of any other list is not completed: it may be
 * a new item.
 * @param part JSON; a part of another shape is returned unchanged
 * @param base the value with the other members; if it is undefined, they stay out
 */
export function completed(shape: Shape, part: unknown, base: unknown): unknown {
  if (shape.kind === 'struct' && isObject(part)) {
    const members = isObject(base) ? base : {};
    const completedMembers = Object.entries(part).map(([name, value]): [string, unknown] => {
      const member = Object.hasOwn(shape.members, name) ? shape.members[name] : undefined;
      return [name, member === undefined ? value : completed(member.shape, value, members[name])];
    });
    return { ...members, ...Object.fromEntries(completedMembers) };
  }
  if (shape.kind === 'array' && shape.minItems === shape.maxItems && Array.isArray(part)) {
    const items: readonly unknown[] = Array.isArray(base) ? base : [];
    return part.map((item, index) => completed(shape.of, item, items[index]));
  }
  return part;
}

/** A parameter whose working value is not saved: a power cut would undo it. */
export interface UnsavedParameter {
  /** Its name in requests. */
  readonly name: string;
  readonly variable: Variable<unknown>;
  readonly stored: unknown;
  readonly working: unknown;
}

/**
 * Returns the parameters whose working value differs from the stored one, in the order of the interface.
 * @param known the parameters that are compared; by default, those of the model
 */
export function unsavedIn(
  stored: ReadonlyMap<string, unknown>,
  working: ReadonlyMap<string, unknown>,
  { parameters } = builtInInterface,
): readonly UnsavedParameter[] {
  return parameters.flatMap(({ name, variable }) => {
    if (!stored.has(name) || !working.has(name)) return [];
    const values = { stored: stored.get(name), working: working.get(name) };
    return sameValue(variable, values.stored, values.working) ? [] : [{ name, variable, ...values }];
  });
}
