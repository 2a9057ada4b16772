import { Fault, type Variable } from '@azimuth/model';

/** What a page knows of a scanner now. */
export interface KnownValues {
  /** The value of a variable by its name; undefined if it is not known, or if the scanner has none. */
  value(name: string): unknown;
}

/** The value of a variable, with its type; undefined if it is not known, or not what the interface describes. */
export function knownValue<T>(known: KnownValues, variable: Variable<T>): T | undefined {
  return typed(variable, known.value(variable.name));
}

/** A value that a scanner sent, as its type; undefined if it is none, or if nothing came yet. */
export function typed<T>(variable: Variable<T>, json: unknown): T | undefined {
  if (json === undefined) return undefined;
  try {
    return variable.type.fromJson(json, variable.name);
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}
