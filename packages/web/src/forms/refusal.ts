import { ScannerError } from '@azimuth/client';
import { Refusal, type Variable } from '@azimuth/model';

/** Why a value is not taken, and where in it. */
export interface RefusedValue {
  /** The place within the value: `.Points[2].x`, `[3]`; empty for the whole value. */
  readonly at: string;
  readonly reason: string;
}

/** Why the model refuses a value, by the same rules as a scanner; undefined if it takes it. */
export function refusalBy(variable: Variable<unknown>, value: unknown): RefusedValue | undefined {
  try {
    variable.valueFrom(value);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { at: within(variable.name, error.at), reason: error.reason };
  }
}

/**
 * Why a scanner refused a write, and where, by its detail (`Name[2].x: expected …`). Undefined if the error does not come
 * from the value.
 */
export function refusalOf(name: string, error: unknown): RefusedValue | undefined {
  if (!(error instanceof ScannerError) || error.statusName === 'accessDenied') return undefined;
  const { detail } = error;
  if (detail === '') return { at: '', reason: error.message };
  const end = detail.indexOf(': ');
  const place = end < 0 ? '' : detail.slice(0, end);
  // A sentence may have a colon, too.
  if (!place.startsWith(name)) return { at: '', reason: detail };
  return { at: within(name, place), reason: detail.slice(end + 2) };
}

/** Does a refusal concern the value at this place, or a part of it? */
export function isWithin(refusal: RefusedValue | undefined, at: string): boolean {
  if (refusal === undefined || !refusal.at.startsWith(at)) return false;
  const next = refusal.at.charAt(at.length);
  return next === '' || next === '.' || next === '[';
}

function within(name: string, at: string): string {
  return at.startsWith(name) ? at.slice(name.length) : at;
}
