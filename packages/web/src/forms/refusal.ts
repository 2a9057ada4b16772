import { ScannerError } from '@azimuth/client';
import { Refusal, type Variable } from '@azimuth/model';

/** Reason and place of a refusal of a value. */
export interface RefusedValue {
  /** The place within the value: `.Points[2].x`, `[3]`; empty for the whole value. */
  readonly at: string;
  readonly reason: string;
}

/** Returns the reason why the model refuses a value, by the same rules as a scanner; undefined if it accepts it. */
export function refusalBy(variable: Variable<unknown>, value: unknown): RefusedValue | undefined {
  try {
    variable.valueFrom(value);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { at: relativePlace(variable.name, error.at), reason: error.reason };
  }
}

/**
 * Returns reason and place of a refused write, from the detail of the response (`Name[2].x: expected …`). Undefined if
 * the value is not the cause.
 */
export function refusalOf(name: string, error: unknown): RefusedValue | undefined {
  if (!(error instanceof ScannerError) || error.statusName === 'accessDenied') return undefined;
  const { detail } = error;
  if (detail === '') return { at: '', reason: error.message };
  const end = detail.indexOf(': ');
  const place = end < 0 ? '' : detail.slice(0, end);
  // A sentence may have a colon, too.
  if (!place.startsWith(name)) return { at: '', reason: detail };
  return { at: relativePlace(name, place), reason: detail.slice(end + 2) };
}

/** True if a refusal concerns the value at this place, or a part of it. */
export function concerns(refusal: RefusedValue | undefined, at: string): boolean {
  if (refusal === undefined || !refusal.at.startsWith(at)) return false;
  const next = refusal.at.charAt(at.length);
  return next === '' || next === '.' || next === '[';
}

function relativePlace(name: string, at: string): string {
  return at.startsWith(name) ? at.slice(name.length) : at;
}
