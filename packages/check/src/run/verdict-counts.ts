import type { CaseResult, Verdict } from './case-result.js';

/** Returns how many results have each verdict. */
export function verdictCounts(results: readonly CaseResult[]): Readonly<Record<Verdict, number>> {
  const counts: Record<Verdict, number> = {
    pass: 0,
    fail: 0,
    warn: 0,
    noted: 0,
    deviation: 0,
    'unexpected-pass': 0,
    'not-tested': 0,
  };
  for (const { verdict } of results) counts[verdict] += 1;
  return counts;
}
