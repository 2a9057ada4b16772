import type { Json, Matcher } from '../match/matcher.js';
import { get, type RequestStep, type Step, until } from '../steps/index.js';

/** A matcher of the item of this number in a list that counts from 1. */
export function numbered(id: number, matcher: Matcher): Matcher {
  return { begins: [...Array.from({ length: id - 1 }, () => ({ present: true }) as const), matcher] };
}

/** Expects the value of a variable. */
export function reads(name: string, matcher: Matcher): RequestStep {
  return get(name, { status: 0, data: { has: { [name]: matcher } } });
}

/** Waits until an answer is as expected: it is asked for at least 25 times. */
export function soon(request: RequestStep, withinSeconds = 0.5): Step {
  return until(request, withinSeconds, withinSeconds / 25);
}

/** Waits for the value of a variable. */
export function comesTo(name: string, value: Json, withinSeconds?: number): Step {
  return soon(reads(name, { is: value }), withinSeconds);
}

/** Saves a part of the value of a variable; all of it without a part. */
export function remembers(name: string, as: string, part = ''): RequestStep {
  return get(name, { status: 0 }, { save: { [as]: part === '' ? `data.${name}` : `data.${name}.${part}` } });
}
