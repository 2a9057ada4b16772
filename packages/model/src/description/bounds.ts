/**
 * Limits for what a description may state. A scanner may be hostile: a small document must not make large values, long
 * searches or names that other code understands as something else.
 */

/** Most variables and methods of one scanner. The built-in product has fewer than 300. */
export const mostEndpoints = 2000;

/** Depth of a value: structs and lists in each other. */
export const mostDepth = 12;

/** Most members of a struct, and most values of an enumeration. */
export const mostMembers = 1000;

/** Most parts of the types of one scanner together: each member and each named value is one. */
export const mostParts = 100_000;

/** Most numbers, texts and booleans in the default of one value. */
export const mostLeaves = 100_000;

/** Most items of a list: a telegram of the legacy protocol counts them with a uint16. */
export const mostItems = 65_535;

/** Most characters of a text value. */
export const longestText = 1024 * 1024;

/** Most characters of a sentence for people. */
const longestSentence = 2000;

/** Returns true if a name can be one of a variable, a method or a member. Names of objects in JavaScript cannot. */
export function isEndpointName(name: string): boolean {
  return /^[A-Za-z_]\w{0,63}$/.test(name) && !(name in {});
}

/** Returns true if a text can name a value: `TX_IP_DHCP`, `Europe/Berlin`. */
export function isValueName(name: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_ .,:;/+()-]{0,63}$/u.test(name) && !(name in {});
}

/** Returns a text for people: cut short, without control characters, which could steer a terminal. */
export function sentence(json: unknown): string {
  if (typeof json !== 'string') return '';
  return json
    .slice(0, longestSentence)
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
}

/** Returns a text for people; undefined for anything else. */
export function optionalSentence(json: unknown): string | undefined {
  return typeof json === 'string' ? sentence(json) : undefined;
}

/** Returns a number within bounds; undefined for anything else. */
export function numberWithin(json: unknown, minimum: number, maximum: number): number | undefined {
  return typeof json === 'number' && json >= minimum && json <= maximum ? json : undefined;
}

/** Returns a whole number within bounds; undefined for anything else. */
export function countWithin(json: unknown, minimum: number, maximum: number): number | undefined {
  return Number.isInteger(json) ? numberWithin(json, minimum, maximum) : undefined;
}
