import { pause } from '@azimuth/async';
import { ClientError } from '@azimuth/client';
import { status } from '@azimuth/model';
import { withNamedScanner } from '../scanners/connection.js';
import type { Target } from '../scanners/target.js';
import type { RolloutReport } from './report.js';

/** Longest absence of a scanner whose change broke off: it may install firmware, or boot (ms). */
const longestAway = 600_000;

const askAgainMs = 500;

/** Waits until a scanner whose change broke off answers, at most ten minutes. One that does not fails later. */
export async function answering(target: Target, report: RolloutReport): Promise<void> {
  report.inDoubt(target.label);
  const end = performance.now() + longestAway;
  while (performance.now() < end) {
    try {
      await withNamedScanner(target, (scanner) => scanner.readAny(status.members.DeviceStatus.name));
      return;
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
    }
    await pause(askAgainMs);
  }
}
