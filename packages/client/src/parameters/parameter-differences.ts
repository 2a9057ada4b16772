import { isObject, type Shape, sameJson, type Variable } from '@azimuth/model';
import type { Calls } from '../calls.js';
import { currentValues } from '../restore/current-values.js';
import { type ParameterValues, parameterNamed, parameterNames, storedParameters } from './parameter-set.js';

/** A part of a value that differs. JSON values. */
export interface PartDifference {
  /** `ScanDataEthSettings.Port`, `PortConfiguration[0].Name`. */
  readonly path: string;
  readonly shape: Shape;
  /** The name of the innermost member of the path, for its unit; empty if there is none. */
  readonly member: string;
  /** Undefined if there is no such part on this side. */
  readonly from: unknown;
  readonly to: unknown;
}

/** A difference of parameters. */
export interface ParameterDifference extends PartDifference {
  readonly variable: Variable<unknown>;
}

/** What differs between two parameter sets, part by part, in the order of the interface. */
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
 * What a power cut would change: from the working value to the stored one. Undefined if the scanner does not tell what it has
 * stored, as real ones. No login is needed.
 */
export async function unsavedParameters(
  scanner: Pick<Calls, 'readAny'>,
): Promise<readonly ParameterDifference[] | undefined> {
  const stored = await storedParameters(scanner);
  if (stored === undefined) return undefined;
  return parameterDifferences(await currentValues(scanner, [...stored.keys()]), stored);
}

/**
 * The parts of a value that differ. Lists of different lengths differ as a whole.
 * @param at the path of the value
 */
export function partDifferences(
  shape: Shape,
  at: string,
  from: unknown,
  to: unknown,
): readonly PartDifference[] {
  return partsOf(shape, { path: at, member: '' }, from, to);
}

interface Place {
  readonly path: string;
  readonly member: string;
}

function partsOf(shape: Shape, place: Place, from: unknown, to: unknown): readonly PartDifference[] {
  if (sameJson(from, to)) return [];
  const { path, member } = place;
  if (shape.kind === 'struct' && isObject(from) && isObject(to)) {
    return Object.entries(shape.members).flatMap(([name, { shape: of }]) =>
      partsOf(of, { path: `${path}.${name}`, member: name }, from[name], to[name]),
    );
  }
  const hasParts = shape.kind === 'array' && (shape.of.kind === 'struct' || shape.of.kind === 'array');
  if (hasParts && Array.isArray(from) && Array.isArray(to) && from.length === to.length) {
    return from.flatMap((item: unknown, index) =>
      partsOf(shape.of, { path: `${path}[${index}]`, member }, item, to[index]),
    );
  }
  return [{ path, member, shape, from, to }];
}
