import { isObject } from '@azimuth/model';

/** The part of a value at this place; undefined if there is none. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), value);
}

/** The same value, with another one at this place. */
export function withValue(parent: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const struct = isObject(parent) ? parent : {};
  return { ...struct, [name]: withValue(struct[name], rest, value) };
}
