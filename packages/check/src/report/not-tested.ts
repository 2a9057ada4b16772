import type { CaseResult } from '../run/case-result.js';
import { grouped } from './grouping.js';

/** Why cases were not tested, and how many for each reason: the most frequent first. */
export function reasonsNotTested(results: readonly CaseResult[]): readonly (readonly [string, number])[] {
  const open = results.filter(({ verdict }) => verdict === 'not-tested');
  return [...grouped(open, ({ reason = 'no reason' }) => reason)]
    .map(([reason, all]) => [reason, all.length] as const)
    .toSorted(([, one], [, other]) => other - one);
}
