import { allParameters, type Edition, extensionPrefix, isObject, type Variable } from '@azimuth/model';
import type { Calls } from '../calls.js';
import type { BackupContent } from '../restore/backup-content.js';
import { currentValues, isMissing } from '../restore/current-values.js';
import { wireName } from '../restore/restore-plan.js';

/** Values of parameters, by the names under which they are read: `LocationName`, `x/fields`. */
export type ParameterValues = ReadonlyMap<string, unknown>;

/** The stored parameters, all together: an extension of Azimuth. */
const storedName = `${extensionPrefix}stored`;

const names = new Map(allParameters.map((variable) => [wireName(variable), variable]));

/** The names of all parameters, in the order of the interface. A scanner has those of its release and variant. */
export const parameterNames: readonly string[] = [...names.keys()];

/** The parameter of a name; undefined if there is none. */
export function parameterNamed(name: string): Variable<unknown> | undefined {
  return names.get(name);
}

/** The working values of all parameters that the scanner has. No login is needed. */
export function workingParameters(scanner: Pick<Calls, 'readAny'>): Promise<ParameterValues> {
  return currentValues(scanner, parameterNames);
}

/**
 * The stored values: those after a power cut. Virtual scanners tell them, an extension of Azimuth. Undefined if the scanner
 * does not, as real ones.
 */
export async function storedParameters(
  scanner: Pick<Calls, 'readAny'>,
): Promise<ParameterValues | undefined> {
  try {
    const stored = await scanner.readAny(storedName);
    return isObject(stored) ? byWireName(new Map(Object.entries(stored))) : undefined;
  } catch (error) {
    if (isMissing(error, storedName)) return undefined;
    throw error;
  }
}

/** The values of a backup file, as far as Azimuth knows the parameters. */
export function backupParameters({ values }: BackupContent): ParameterValues {
  return byWireName(values);
}

/** The values with which a scanner leaves the factory, as far as its release decides them. */
export function factoryParameters(edition: Edition): ParameterValues {
  const { release } = edition;
  return new Map(
    [...names]
      .filter(([, variable]) => variable.isIn(edition))
      .map(([name, variable]) => [name, variable.factoryValue({ release, createdWith: release })]),
  );
}

function byWireName(values: ReadonlyMap<string, unknown>): ParameterValues {
  return new Map(
    [...names]
      .filter(([, { name }]) => values.has(name))
      .map(([wire, { name }]) => [wire, values.get(name)] as const),
  );
}
