import { counted } from '@azimuth/model';
import { CommandFailure, SeveralFailed, type TargetFailure } from '../command-failure.js';
import type { Power, Switched } from '../scanners/fleet-client.js';

const done: Readonly<Record<Power, string>> = {
  on: 'switched on',
  off: 'switched off',
  cycle: 'switched off and on',
};

/** What was done, for people; nothing if all have failed. */
export function switchedLines({ scanners, changed, failed }: Switched, power: Power): readonly string[] {
  if (changed > 0) return [`${counted(changed, 'scanner was', 'scanners were')} ${done[power]}.`];
  if (failed.length > 0) return [];
  if (power === 'cycle') return ['No scanner was switched off and on.'];
  const other = power === 'on' ? 'off' : 'on';
  return [scanners === 1 ? `The scanner was ${power} already.` : `None was ${other}.`];
}

/**
 * Reports the scanners that failed.
 * @param pattern as it was typed
 * @throws CommandFailure for the one that was named, SeveralFailed for those of a pattern
 */
export function throwFailed({ scanners, failed }: Switched, pattern: string): void {
  const failures = failed.map(
    ({ serialNumber, reason }): TargetFailure => ({
      label: serialNumber,
      error: new CommandFailure(reason, 'refused'),
    }),
  );
  const [first] = failures;
  if (first === undefined) return;
  if (pattern.includes('*')) throw new SeveralFailed(failures, scanners);
  throw new CommandFailure(`${first.label}: ${failed[0]?.reason}`, 'refused');
}
