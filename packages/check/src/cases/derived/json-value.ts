import { isObject } from '@azimuth/model';
import type { Json } from '../../match/matcher.js';

/** Returns a value of the model as JSON. @throws TypeError for what no JSON is: a mistake of this program */
export function asJson(value: unknown): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string')
    return value;
  if (Array.isArray(value)) return value.map(asJson);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asJson(one)]));
  throw new TypeError(`expected JSON, got ${typeof value}`);
}

/** An object of JSON. */
export type JsonObject = { readonly [member: string]: Json };

/** Returns the members of a JSON object. @throws TypeError for anything else: a mistake of this program */
export function membersOf(json: Json): JsonObject {
  if (isMembers(json)) return json;
  throw new TypeError('expected an object');
}

function isMembers(json: Json): json is JsonObject {
  return isObject(json);
}

/** Returns the items of a JSON array. @throws TypeError for anything else: a mistake of this program */
export function itemsOf(json: Json): readonly Json[] {
  if (isItems(json)) return json;
  throw new TypeError('expected an array');
}

function isItems(json: Json): json is readonly Json[] {
  return Array.isArray(json);
}
