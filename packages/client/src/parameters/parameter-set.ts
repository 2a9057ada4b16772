import {
  allParameters,
  type Edition,
  extensionPrefix,
  isObject,
  type Shape,
  sameJson,
  type Variable,
} from '@azimuth/model';
import type { Calls } from '../calls.js';
import type { BackupContent } from '../restore/backup-content.js';
import { currentValues, isMissing } from '../restore/current-values.js';
import { wireName } from '../restore/restore-plan.js';

/** Values of parameters, by the names under which they are read: `LocationName`, `x/fields`. */
export type ParameterValues = ReadonlyMap<string, unknown>;

/** The variable with all stored parameters: an extension of Azimuth. */
const storedName = `${extensionPrefix}stored`;

const names = new Map(allParameters.map((variable) => [wireName(variable), variable]));

/** Names of all parameters, in the order of the interface. A scanner has those of its release and variant. */
export const parameterNames: readonly string[] = [...names.keys()];

/** Returns the parameter of a name; undefined if there is none. */
export function parameterNamed(name: string): Variable<unknown> | undefined {
  return names.get(name);
}

/** Reads the working values of all parameters that the scanner has. No login is needed. */
export function workingParameters(scanner: Pick<Calls, 'readAny'>): Promise<ParameterValues> {
  return currentValues(scanner, parameterNames);
}

/** Reads the stored values: those after a power cut. An extension of Azimuth, so undefined for real scanners. */
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

/** Returns the values in a backup file of the parameters that Azimuth knows. */
export function backupParameters({ values }: BackupContent): ParameterValues {
  return byWireName(values);
}

/** Returns the factory values of a scanner, as far as its release decides them. */
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

/** A part of a value that differs. JSON values. */
export interface PartDifference {
  /** Path of the part: `ScanDataEthSettings.Port`, `PortConfiguration[0].Name`. */
  readonly path: string;
  readonly shape: Shape;
  /** The name of the innermost member of the path, for its unit; empty if there is none. */
  readonly member: string;
  /** The value of the part; undefined if this side does not have the part. */
  readonly from: unknown;
  readonly to: unknown;
}

/** The differences in one parameter. */
export interface ParameterDifference extends PartDifference {
  readonly variable: Variable<unknown>;
}

/** Returns the differences between two parameter sets, part by part, in the order of the interface. */
export function parameterDifferences(
  from: ParameterValues,
  to: ParameterValues,
): readonly ParameterDifference[] {
  return parameterNames.flatMap((name) => {
    const variable = parameterNamed(name);
    if (variable === undefined) return [];
    const parts = partDifferences(variable.type.shape, name, from.get(name), to.get(name));
    return parts.map((part) => ({ ...part, variable }));
  });
}

/**
 * Returns the changes that a power cut would make: from the working value to the stored one. Undefined if the scanner
 * does not report its stored values, as real ones. No login is needed.
 */
export async function unsavedParameters(
  scanner: Pick<Calls, 'readAny'>,
): Promise<readonly ParameterDifference[] | undefined> {
  const stored = await storedParameters(scanner);
  if (stored === undefined) return undefined;
  return parameterDifferences(await currentValues(scanner, [...stored.keys()]), stored);
}

/**
 * Returns the parts of a value that differ. Lists of different lengths differ as a whole.
 * @param at the path of the value
 */
export function partDifferences(
  shape: Shape,
  at: string,
  from: unknown,
  to: unknown,
): readonly PartDifference[] {
  return differingParts(shape, { path: at, member: '' }, from, to);
}

interface Place {
  readonly path: string;
  readonly member: string;
}

function differingParts(shape: Shape, place: Place, from: unknown, to: unknown): readonly PartDifference[] {
  if (sameJson(from, to)) return [];
  const { path, member } = place;
  if (shape.kind === 'struct' && isObject(from) && isObject(to)) {
    return Object.entries(shape.members).flatMap(([name, { shape: of }]) =>
      differingParts(of, { path: `${path}.${name}`, member: name }, from[name], to[name]),
    );
  }
  const hasParts = shape.kind === 'array' && (shape.of.kind === 'struct' || shape.of.kind === 'array');
  if (hasParts && Array.isArray(from) && Array.isArray(to) && from.length === to.length) {
    return from.flatMap((item: unknown, index) =>
      differingParts(shape.of, { path: `${path}[${index}]`, member }, item, to[index]),
    );
  }
  return [{ path, member, shape, from, to }];
}
