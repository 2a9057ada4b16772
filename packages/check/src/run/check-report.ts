import type { Stage } from '../cases/index.js';
import type { CheckSubject, CheckTarget } from '../scanner/checked-scanner.js';
import type { CaseResult, Verdict } from './case-result.js';
import { changedFactResults } from './changed-facts.js';
import type { ScannerFacts } from './identify.js';
import type { Leftover } from './leftover.js';
import { type CaseSelection, type CheckRun, type RunOptions, runCases, selectedCases } from './run-check.js';
import { verdictCounts } from './verdict-counts.js';

/** The result of a check, from which all reports are made. Texts of the scanner are in it as they came. */
export interface CheckReport {
  readonly scanner: ScannerFacts;
  /** Stages that were permitted, in their order. */
  readonly stages: readonly Stage[];
  readonly results: readonly CaseResult[];
  /** Number of results by verdict. */
  readonly counts: Readonly<Record<Verdict, number>>;
  /** What could not be put back. */
  readonly leftovers: readonly Leftover[];
  /** Why it ended before its last case; undefined if it did not. */
  readonly ended?: CheckRun['ended'];
  /** Begin and end, ISO 8601 in UTC, by the clock of this computer. */
  readonly began: string;
  readonly finished: string;
}

/** Checks an identified scanner, and returns the report. */
export async function checkScanner(
  target: CheckTarget,
  { scanner, subject }: { readonly scanner: ScannerFacts; readonly subject: CheckSubject },
  options: CaseSelection & RunOptions,
): Promise<CheckReport> {
  const began = new Date().toISOString();
  const run = await runCases(selectedCases(subject, options), target, subject, options);
  const results = [...changedFactResults(), ...run.results];
  return {
    scanner,
    stages: [...options.stages],
    ...run,
    results,
    counts: verdictCounts(results),
    began,
    finished: new Date().toISOString(),
  };
}
