import type { ScannerSnapshot } from '../state/scanner-snapshot.js';

/** Returns the state of a scanner as JSON, for programs. Times are in ISO 8601, in UTC. */
export function scannerJson({
  values,
  conditions,
  answeredAt,
  certificateUntil,
  scans,
  ...rest
}: ScannerSnapshot): Readonly<Record<string, unknown>> {
  return {
    ...rest,
    answeredAt: timeText(answeredAt),
    certificateUntil: timeText(certificateUntil),
    scans: scans === undefined ? undefined : { ...scans, lastAt: timeText(scans.lastAt) },
    conditions: conditions.map((condition) => ({ ...condition, since: timeText(condition.since) })),
    values: Object.fromEntries(values),
  };
}

function timeText(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}
