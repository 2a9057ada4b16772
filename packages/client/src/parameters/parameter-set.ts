import {
  builtInInterface,
  type Edition,
  extensionPrefix,
  isObject,
  type KnownInterface,
  type Shape,
  sameJson,
  type Variable,
} from '@azimuth/model';
import type { Calls } from '../calls.js';
import { type MayBeDescribed, modelOnly } from '../description.js';
import type { BackupContent } from '../restore/backup-content.js';
import { currentValues, isMissing } from '../restore/current-values.js';

/** Values of parameters, by the names under which they are read: `LocationName`, `x/fields`. */
export type ParameterValues = ReadonlyMap<string, unknown>;

/** The variable with all stored parameters: an extension of Azimuth. */
const storedName = `${extensionPrefix}stored`;

/** Reads of a scanner. Names that the model does not know come from the scanner's own description. */
export type ParameterReader = Pick<Calls, 'readAny'> & MayBeDescribed;

/** Names of all parameters of the model, in its order. A scanner has those of its release and variant. */
export const parameterNames: readonly string[] = builtInInterface.parameters.map(({ name }) => name);

/** Returns the parameter of a name; undefined if there is none. */
export function parameterNamed(name: string, known = builtInInterface): Variable<unknown> | undefined {
  const variable = known.variable(name);
  return variable?.stored === true ? variable : undefined;
}

/**
 * Reads the working values of all parameters that the scanner has, also of those that only its own description states.
 * No login is needed.
 */
export async function workingParameters(scanner: ParameterReader): Promise<ParameterValues> {
  const known = await (scanner.description ?? modelOnly).whole();
  const names = known.parameters.map(({ name }) => name).filter((name) => !known.lacks(name));
  return currentValues(scanner, names);
}

/** Reads the stored values: those after a power cut. An extension of Azimuth, so undefined for real scanners. */
export async function storedParameters(scanner: ParameterReader): Promise<ParameterValues | undefined> {
  try {
    const stored = await scanner.readAny(storedName);
    if (!isObject(stored)) return undefined;
    const known = await (scanner.description ?? modelOnly).ofNames(Object.keys(stored));
    return byWireName(new Map(Object.entries(stored)), known);
  } catch (error) {
    if (isMissing(error, storedName)) return undefined;
    throw error;
  }
}

/** Returns the values in a backup file of the parameters that are known; by default, those of the model. */
export function backupParameters({ values }: BackupContent, known = builtInInterface): ParameterValues {
  return byWireName(values, known);
}

/** Returns the factory values of a scanner, as far as its release decides them. */
export function factoryParameters(edition: Edition, known = builtInInterface): ParameterValues {
  const { release } = edition;
  return new Map(
    known.parameters
      .filter(({ name, variable }) => variable.isIn(edition) && !known.lacks(name))
      .map(({ name, variable }) => [name, variable.factoryValue({ release, createdWith: release })]),
  );
}

function byWireName(values: ReadonlyMap<string, unknown>, { parameters }: KnownInterface): ParameterValues {
  return new Map(
    parameters
      .filter(({ variable }) => values.has(variable.name))
      .map(({ name, variable }) => [name, values.get(variable.name)] as const),
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

/**
 * Returns the differences between two parameter sets, part by part, in the order of the interface.
 * @param known the parameters that are compared; by default, those of the model
 */
export function parameterDifferences(
  from: ParameterValues,
  to: ParameterValues,
  { parameters } = builtInInterface,
): readonly ParameterDifference[] {
  return parameters.flatMap(({ name, variable }) => {
    const parts = partDifferences(variable.type.shape, name, from.get(name), to.get(name));
    return parts.map((part) => ({ ...part, variable }));
  });
}

/**
 * Returns the changes that a power cut would make: from the working value to the stored one. Undefined if the scanner
 * does not report its stored values, as real ones. No login is needed.
 */
export async function unsavedParameters(
  scanner: ParameterReader,
): Promise<readonly ParameterDifference[] | undefined> {
  const stored = await storedParameters(scanner);
  if (stored === undefined) return undefined;
  const working = await currentValues(scanner, [...stored.keys()]);
  return parameterDifferences(working, stored, (scanner.description ?? modelOnly).known);
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
