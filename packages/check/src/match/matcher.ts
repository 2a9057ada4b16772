import { isObject, type KnownInterface, Refusal, sameJson, type ValueType } from '@azimuth/model';

/** JSON as steps state it. `{ saved: NAME }` stands for a value that an earlier step has saved. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

/** What a value is expected to be, as data. */
export type Matcher =
  /** This value. */
  | { readonly is: Json }
  /** Any of these values. */
  | { readonly oneOf: readonly Json[] }
  /** The value that an earlier step has saved under this name. */
  | { readonly isSaved: string }
  /** A value that the interface allows for this variable. */
  | { readonly ofVariable: string }
  /** A response (`data` or `challenge`) that the interface allows for this method. */
  | { readonly ofMethod: string }
  /** A number in this range, inclusive. */
  | { readonly from: number; readonly to: number }
  /** A number that is greater than the saved one by a number in this range, inclusive. */
  | { readonly minusSaved: string; readonly from: number; readonly to: number }
  /** A text that matches this regular expression. */
  | { readonly pattern: string }
  /** An object with these members, and perhaps others. */
  | { readonly has: Readonly<Record<string, Matcher>> }
  /** An object with exactly these members. */
  | { readonly exactly: Readonly<Record<string, Matcher>> }
  /** The data of this variable, whose value is an object: the value under its name, its members beside it, nothing else. */
  | { readonly withMembersOf: string }
  /** An array of so many items, each of which matches. */
  | ItemsMatcher
  /** An array that begins with items that match these. */
  | { readonly begins: readonly Matcher[] }
  /** An array with an item that matches. */
  | { readonly some: Matcher }
  /** Matches all of these. */
  | { readonly all: readonly Matcher[] }
  /** Matches one of these. */
  | { readonly any: readonly Matcher[] }
  /** Not there. */
  | { readonly absent: true }
  /** There, whatever it is. */
  | { readonly present: true }
  /** Anything that does not match. */
  | { readonly not: Matcher };

interface ItemsMatcher {
  readonly items: Matcher;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Where a value is not what was expected. */
export interface Mismatch {
  /** Place in the response: `data.EtherIPAddress[2]`. */
  readonly at: string;
  readonly expected: string;
  readonly came: string;
}

/** What matchers refer to: the context of a step has it. */
export interface MatchContext {
  readonly subject: { readonly known: KnownInterface };
  readonly saved: ReadonlyMap<string, unknown>;
}

/** Returns the first difference between a value and what is expected of it; undefined if it matches. */
export function mismatch(
  matcher: Matcher,
  value: unknown,
  at: string,
  context: MatchContext,
): Mismatch | undefined {
  const differs = (expected: string): Mismatch => ({ at, expected, came: shown(value) });
  if ('is' in matcher) return sameJson(value, matcher.is) ? undefined : differs(shown(matcher.is));
  if ('oneOf' in matcher) {
    const { oneOf } = matcher;
    return oneOf.some((one) => sameJson(value, one)) ? undefined : differs(oneOf.map(shown).join(' or '));
  }
  if ('isSaved' in matcher) {
    const saved = context.saved.get(matcher.isSaved);
    return sameJson(value, saved) ? undefined : differs(`${shown(saved)}, as before`);
  }
  if ('ofVariable' in matcher) {
    const variable = context.subject.known.variable(matcher.ofVariable);
    return variable === undefined ? undefined : refused(variable.type, value, at);
  }
  if ('ofMethod' in matcher) {
    const method = context.subject.known.method(matcher.ofMethod);
    return method === undefined ? undefined : refused(method.response, method.completed(value), at);
  }
  if ('minusSaved' in matcher) {
    const { from, to } = matcher;
    const before = context.saved.get(matcher.minusSaved);
    const expected = `${shown(before)} and ${from} to ${to} more`;
    if (typeof value !== 'number' || typeof before !== 'number') return differs(expected);
    return value - before >= from && value - before <= to ? undefined : differs(expected);
  }
  if ('from' in matcher) {
    const { from, to } = matcher;
    const isWithin = typeof value === 'number' && value >= from && value <= to;
    return isWithin ? undefined : differs(`a number from ${from} to ${to}`);
  }
  if ('pattern' in matcher) {
    const isRight = typeof value === 'string' && new RegExp(matcher.pattern, 'u').test(value);
    return isRight ? undefined : differs(`a text that matches ${matcher.pattern}`);
  }
  if ('has' in matcher) return members(matcher.has, value, at, context);
  if ('exactly' in matcher) {
    const wrong = members(matcher.exactly, value, at, context);
    if (wrong !== undefined || !isObject(value)) return wrong;
    const extra = Object.keys(value).find((name) => !Object.hasOwn(matcher.exactly, name));
    return extra === undefined ? undefined : differs(`no member ${extra}`);
  }
  if ('withMembersOf' in matcher) return withMembersOf(matcher.withMembersOf, value, at);
  if ('items' in matcher) return items(matcher, value, at, context);
  if ('begins' in matcher) {
    if (!Array.isArray(value)) return differs('an array');
    const wrong = matcher.begins.map((each, index) =>
      mismatch(each, value[index], `${at}[${index}]`, context),
    );
    return wrong.find((one) => one !== undefined);
  }
  if ('some' in matcher) {
    if (!Array.isArray(value)) return differs('an array');
    const isThere = value.some((item) => mismatch(matcher.some, item, at, context) === undefined);
    return isThere ? undefined : differs(`an item that is ${shown(matcher.some)}`);
  }
  if ('all' in matcher) {
    const wrong = matcher.all.map((each) => mismatch(each, value, at, context));
    return wrong.find((one) => one !== undefined);
  }
  if ('any' in matcher) {
    const wrong = matcher.any.map((each) => mismatch(each, value, at, context));
    if (wrong.includes(undefined)) return undefined;
    return differs(wrong.map((one) => one?.expected).join(' or '));
  }
  if ('absent' in matcher) return value === undefined ? undefined : differs('nothing');
  if ('present' in matcher) return value === undefined ? differs('a value') : undefined;
  return mismatch(matcher.not, value, at, context) === undefined ? differs('another value') : undefined;
}

function members(
  expected: Readonly<Record<string, Matcher>>,
  value: unknown,
  at: string,
  context: MatchContext,
): Mismatch | undefined {
  if (!isObject(value)) return { at, expected: 'an object', came: shown(value) };
  for (const [name, matcher] of Object.entries(expected)) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    const wrong = mismatch(matcher, member, at === '' ? name : `${at}.${name}`, context);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function withMembersOf(name: string, value: unknown, at: string): Mismatch | undefined {
  const own = isObject(value) ? value[name] : undefined;
  if (!isObject(own)) return { at: `${at}.${name}`, expected: 'an object', came: shown(own) };
  const all = { [name]: own, ...own };
  return sameJson(value, all) ? undefined : { at, expected: shown(all), came: shown(value) };
}

function items(
  { items: each, atLeast = 0, atMost = Number.POSITIVE_INFINITY }: ItemsMatcher,
  value: unknown,
  at: string,
  context: MatchContext,
): Mismatch | undefined {
  if (!Array.isArray(value)) return { at, expected: 'an array', came: shown(value) };
  if (value.length < atLeast || value.length > atMost) {
    const count = atLeast === atMost ? String(atLeast) : `${atLeast} to ${atMost}`;
    return { at, expected: `${count} items`, came: `${value.length} items` };
  }
  for (const [index, item] of value.entries()) {
    const wrong = mismatch(each, item, `${at}[${index}]`, context);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function refused(type: ValueType<unknown>, value: unknown, at: string): Mismatch | undefined {
  try {
    type.fromJson(value, at);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { at: error.at, expected: `a value of its type (${error.reason})`, came: shown(value) };
  }
}

/** Longest text of a value in a report, in characters. */
const longestShown = 240;

/** Returns a value as one line of a report: JSON, cut if it is long. Control characters are escaped. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? 'nothing');
  return text.length <= longestShown ? text : `${text.slice(0, longestShown)}… (${text.length} characters)`;
}
