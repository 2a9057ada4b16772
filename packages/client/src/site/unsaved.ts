import { allParameters, type Variable } from '@azimuth/model';
import { sameValue, wireName } from '../restore/restore-plan.js';

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
