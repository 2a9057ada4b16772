import { isObject } from './envelope.js';

/**
 * A value as an entry of a backup file holds it. Entries hold integers, booleans, strings, objects and numbers
 * (specification, Parameter backup file), so an array is put into an object, as its member `items`.
 */
export function entryValue(value: unknown): unknown {
  return Array.isArray(value) ? { items: value } : value;
}

/** The value that an entry holds. No struct of the interface consists of a lone `items`. */
export function valueOfEntry(entry: unknown): unknown {
  const lone = isObject(entry) && Object.keys(entry).length === 1;
  return lone && Array.isArray(entry.items) ? entry.items : entry;
}
