import { type Check, type Finding, type ListedVerdict, listed } from './check.js';
import { accessChecks } from './checks/access.js';
import { certificateChecks } from './checks/certificate.js';
import { clockChecks } from './checks/clock.js';
import { conditionChecks } from './checks/condition.js';
import { formatChecks } from './checks/format.js';
import { neighbourChecks } from './checks/neighbours.js';
import { filterChecks } from './checks/output-filters.js';
import { parameterChecks, releaseChecks } from './checks/release.js';
import { networkChecks } from './checks/scanner-network.js';
import { streamChecks } from './checks/streams.js';
import type { Observation } from './observation.js';

/** All checks of `azimuth doctor`, in the order in which people search for a reason. */
export const allChecks: readonly Check[] = [
  ...conditionChecks,
  ...streamChecks,
  ...formatChecks,
  ...filterChecks,
  ...networkChecks,
  ...neighbourChecks,
  ...clockChecks,
  ...accessChecks,
  ...certificateChecks,
  ...releaseChecks,
  ...parameterChecks,
];

/** A check with its verdict. */
export interface CheckResult {
  readonly check: Check;
  readonly verdict: ListedVerdict;
}

/** Runs all checks for one scanner. */
export function checkResults(observation: Observation): readonly CheckResult[] {
  return allChecks.map((check) => ({ check, verdict: listed(check.judge(observation)) }));
}

/** Returns the findings, the worst first. */
export function allFindings(
  results: readonly CheckResult[],
): readonly (Finding & { readonly check: string })[] {
  const all = results.flatMap(({ check, verdict }) =>
    'findings' in verdict ? verdict.findings.map((finding) => ({ ...finding, check: check.name })) : [],
  );
  return (['problem', 'warning', 'note'] as const).flatMap((severity) =>
    all.filter((finding) => finding.severity === severity),
  );
}
