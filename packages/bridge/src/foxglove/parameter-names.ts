import { isObject, type Shape } from '@azimuth/model';
import type { Parameter, ParameterValue } from '@foxglove/ws-protocol';
import { deepestValue } from './limits.js';

/** Structures deeper than this stay one parameter. */
const deepest = 8;

/**
 * Returns a variable as parameters of Foxglove: each member of a structure is one, with its path as the name
 * (`ScanDataEthSettings.Port`). A list is one parameter, also a list of structures.
 * @param name the name of the variable, with the prefix of its scanner
 * @param value JSON
 * @param shape undefined if the model does not know the variable
 */
export function flattened(name: string, value: unknown, shape: Shape | undefined, depth = 0): Parameter[] {
  if (isObject(value) && depth < deepest && Object.keys(value).length > 0) {
    const members = shape?.kind === 'struct' ? shape.members : {};
    return Object.entries(value).flatMap(([member, part]) =>
      flattened(`${name}.${member}`, part, memberShape(members, member), depth + 1),
    );
  }
  const type = numberType(value, shape);
  return [{ name, value: parameterValue(value), ...(type === undefined ? {} : { type }) }];
}

function memberShape(
  members: Readonly<Record<string, { readonly shape: Shape }>>,
  name: string,
): Shape | undefined {
  return Object.hasOwn(members, name) ? members[name]?.shape : undefined;
}

/** JSON does not say if 1 is a whole number: the type says so for numbers that are not. */
function numberType(value: unknown, shape: Shape | undefined): Parameter['type'] {
  if (shape?.kind === 'float' && typeof value === 'number') return 'float64';
  if (shape?.kind === 'array' && shape.of.kind === 'float' && Array.isArray(value)) return 'float64_array';
  return undefined;
}

/**
 * Returns JSON as the library types it. Foxglove has no null: it is a parameter without a value. So is what is deeper than any
 * value of a scanner: a hostile one could nest lists until the program has no stack left.
 */
function parameterValue(value: unknown, depth = 0): ParameterValue {
  if (depth > deepestValue) return undefined;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map((item: unknown) => parameterValue(item, depth + 1));
  if (!isObject(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, parameterValue(part, depth + 1)]),
  );
}

/** A parameter by its parts: the variable, and the path of a member in it. */
export interface ParameterPath {
  readonly variable: string;
  readonly members: readonly string[];
}

/** Parses a name without the prefix of its scanner. Names of variables have no dot. */
export function parameterPath(name: string): ParameterPath {
  const [variable = '', ...members] = name.split('.');
  return { variable, members };
}

/**
 * Returns a value in which a member has another value. The other members stay.
 * @returns undefined if the value has no such member
 */
export function withMember(value: unknown, members: readonly string[], to: unknown): unknown {
  const [member, ...rest] = members;
  if (member === undefined) return to;
  if (!isObject(value) || !Object.hasOwn(value, member)) return undefined;
  const part = withMember(value[member], rest, to);
  return part === undefined ? undefined : { ...value, [member]: part };
}
