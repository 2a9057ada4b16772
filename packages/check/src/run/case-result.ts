import type { ConformanceCase } from '../cases/index.js';
import type { Mismatch } from '../match/matcher.js';

/**
 * - `pass`, `fail`: a must that is kept, or not.
 * - `warn`: a should that is not kept.
 * - `noted`: an informational case that came out otherwise.
 * - `deviation`: not kept, as the profile of the scanner declares.
 * - `unexpected-pass`: kept, though the profile declares that it is not: a warning.
 * - `not-tested`: something that it needs is missing.
 */
export const verdicts = [
  'pass',
  'fail',
  'warn',
  'noted',
  'deviation',
  'unexpected-pass',
  'not-tested',
] as const;
export type Verdict = (typeof verdicts)[number];

/** What came out of one case. */
export interface CaseResult {
  readonly case: ConformanceCase;
  readonly verdict: Verdict;
  /** What differs; undefined for a pass, and for what was not tested. */
  readonly failure?: CaseFailure;
  /** Why it was not tested, or why it deviates. */
  readonly reason?: string;
  /** Duration in ms of this computer. */
  readonly milliseconds: number;
}

export interface CaseFailure extends Mismatch {
  /** Number of the step, from 1 on; 0 if something could not be put back afterwards. */
  readonly step: number;
  /** Commands for a terminal that show it by hand. */
  readonly byHand: readonly string[];
}
