import { Fault, type Variable } from '@azimuth/model';

/** A value that a scanner sent, as its type; undefined if it is none, or if nothing came yet. */
export function typed<T>(variable: Variable<T>, value: unknown): T | undefined {
  if (value === undefined) return undefined;
  try {
    return variable.type.fromJson(value, variable.name);
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}
