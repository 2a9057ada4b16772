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

/** Everything that `azimuth doctor` looks at, in the order in which people look for a reason. */
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

/** A check with what it says. */
export interface Looked {
  readonly check: Check;
  readonly verdict: ListedVerdict;
}

/** What all checks say about one scanner. */
export function examined(seen: Observation): readonly Looked[] {
  return allChecks.map((check) => ({ check, verdict: listed(check.look(seen)) }));
}

/** The findings, the worst first. */
export function findingsOf(looked: readonly Looked[]): readonly (Finding & { readonly check: string })[] {
  const all = looked.flatMap(({ check, verdict }) =>
    'findings' in verdict ? verdict.findings.map((finding) => ({ ...finding, check: check.name })) : [],
  );
  return (['problem', 'warning', 'note'] as const).flatMap((severity) =>
    all.filter((finding) => finding.severity === severity),
  );
}
