export type JsonObject = { [member: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function object(value: unknown): JsonObject {
  if (!isObject(value)) throw new TypeError(`expected an object, got ${show(value)}`);
  return value;
}

export function array(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError(`expected an array, got ${show(value)}`);
  return value;
}

export function string(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError(`expected a string, got ${show(value)}`);
  return value;
}

export function number(value: unknown): number {
  if (typeof value !== 'number') throw new TypeError(`expected a number, got ${show(value)}`);
  return value;
}

export function boolean(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new TypeError(`expected a boolean, got ${show(value)}`);
  return value;
}

export function bytes(value: unknown): Buffer {
  const items = array(value).map(number);
  if (items.some((item) => !Number.isInteger(item) || item < 0 || item > 255)) {
    throw new TypeError(`expected bytes, got ${show(value)}`);
  }
  return Buffer.from(items);
}

export function parse(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return value;
}

function show(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 200) ?? String(value);
}
