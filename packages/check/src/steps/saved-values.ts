import { isObject } from '@azimuth/model';
import type { Json } from '../match/matcher.js';
import type { StepContext } from './step-context.js';

/** Returns JSON with the values that earlier steps have saved, in place of each `{ saved: NAME }`. */
export function withSaved(json: Json, saved: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(json)) return json.map((item) => withSaved(item, saved));
  if (!isObject(json)) return json;
  const { saved: name, ...rest } = json;
  if (typeof name === 'string' && Object.keys(rest).length === 0) return saved.get(name);
  return Object.fromEntries(Object.entries(json).map(([member, value]) => [member, withSaved(value, saved)]));
}

/** Returns the part of a JSON value at a path such as `data.certificates.0.subject`; undefined if it is not there. */
export function partAt(json: unknown, path: string): unknown {
  if (path === '') return json;
  return path.split('.').reduce<unknown>((value, member) => {
    if (Array.isArray(value)) return value[Number(member)];
    return isObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
  }, json);
}

/** Saves parts of a JSON value, each under its name: `{ before: 'data.LocationName' }`. */
export function saveParts(
  json: unknown,
  parts: Readonly<Record<string, string>> = {},
  { saved }: Pick<StepContext, 'saved'>,
): void {
  for (const [name, path] of Object.entries(parts)) saved.set(name, partAt(json, path));
}

/** Returns a text with the values that earlier steps have saved, in place of each `{NAME}`. */
export function filledIn(text: string, saved: ReadonlyMap<string, unknown>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(saved.get(name)));
}
