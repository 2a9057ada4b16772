import type { CaseResult } from '../run/case-result.js';
import { grouped } from './grouping.js';

/** Results that differ in the same way: probably of one cause. */
export interface SameKind {
  readonly first: CaseResult;
  /** Ids of the others. */
  readonly others: readonly string[];
}

/**
 * Puts results together whose cases check the same of different names, as `variable.X.read` and `variable.Y.read`, and in which
 * the same came in place of the same. A maker then reads one entry for a fault that all names share.
 */
export function sameKinds(results: readonly CaseResult[]): readonly SameKind[] {
  return [...grouped(results, kindOf).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ first, others: others.map(({ case: { id } }) => id) }],
  );
}

function kindOf({ case: { id }, verdict, failure, reason }: CaseResult): string {
  const parts = id.split('.');
  // The name in the middle of a derived id differs from case to case.
  const what = parts.length < 3 ? id : [parts[0], ...parts.slice(2)].join('.');
  return JSON.stringify([verdict, what, failure?.expected, failure?.came, reason]);
}
