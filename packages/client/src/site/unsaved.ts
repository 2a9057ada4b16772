import { allParameters, extensionPrefix, isObject, type Variable } from '@azimuth/model';
import type { Calls } from '../calls.js';
import { isMissing } from '../restore/current-values.js';
import { sameValue, wireName } from '../restore/restore-plan.js';

/** The stored parameters, all together: an extension of Azimuth. */
const storedName = `${extensionPrefix}stored`;

/** A parameter whose working value is not saved: a power cut would undo it. */
export interface UnsavedParameter {
  /** As it is read and written. */
  readonly name: string;
  readonly variable: Variable<unknown>;
  readonly stored: unknown;
  readonly working: unknown;
}

/**
 * The stored values, by the names under which the parameters are read; undefined if the scanner does not tell them: only
 * virtual scanners do.
 */
export async function storedValues(
  scanner: Pick<Calls, 'readAny'>,
): Promise<ReadonlyMap<string, unknown> | undefined> {
  try {
    const stored = await scanner.readAny(storedName);
    if (!isObject(stored)) return undefined;
    return new Map(
      allParameters
        .filter(({ name }) => Object.hasOwn(stored, name))
        .map((variable) => [wireName(variable), stored[variable.name]]),
    );
  } catch (error) {
    if (isMissing(error, storedName)) return undefined;
    throw error;
  }
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
