import type { CaseResult, Verdict } from '../run/case-result.js';
import type { CheckReport } from '../run/check-report.js';
import { grouped } from './grouping.js';

/** Verdicts in the order of their weight, with their words in reports. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  fail: 'FAIL',
  warn: 'WARN',
  'unexpected-pass': 'UNEXPECTED PASS',
  deviation: 'DEVIATION',
  noted: 'NOTE',
  'not-tested': 'NOT TESTED',
  pass: 'PASS',
};

/** Verdicts whose cases are described one by one, the worst first. */
export const describedVerdicts: readonly Verdict[] = [
  'fail',
  'warn',
  'unexpected-pass',
  'deviation',
  'noted',
];

const order = Object.keys(verdictWords);

/** Sorts results: what is worst first, otherwise as they were. */
export function worstFirst(results: readonly CaseResult[]): readonly CaseResult[] {
  return results.toSorted((one, other) => order.indexOf(one.verdict) - order.indexOf(other.verdict));
}

/** Returns the results of each area, by its name, in the order of the results. */
export function byArea(results: readonly CaseResult[]): ReadonlyMap<string, readonly CaseResult[]> {
  return grouped(results, ({ case: { id } }) => areaOf(id));
}

/** Returns how long a check took, in s. */
export function secondsOf({ began, finished }: Pick<CheckReport, 'began' | 'finished'>): number {
  return Math.max(0, Date.parse(finished) - Date.parse(began)) / 1000;
}

/** Returns the area of a case. */
export function areaOf(id: string): string {
  return id.slice(0, id.indexOf('.'));
}
