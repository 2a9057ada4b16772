export type JsonObject = { readonly [member: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member that has to be an object. */
export function objectIn(value: unknown, member: string): JsonObject {
  const found = isObject(value) ? value[member] : undefined;
  if (!isObject(found)) throw new Error(`${member}: an object was expected`);
  return found;
}

export function stringIn(value: unknown, member: string): string {
  const found = isObject(value) ? value[member] : undefined;
  if (typeof found !== 'string') throw new Error(`${member}: a string was expected`);
  return found;
}

export function parse(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return value;
}
