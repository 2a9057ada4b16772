import { Mutex, pause } from '@azimuth/async';
import { AnswerError, UnreachableError } from '@azimuth/client';
import { CommandFailure } from '../command-failure.js';
import { allFindings, checkResults } from '../doctor/all-checks.js';
import type { Finding } from '../doctor/check.js';
import { LocalPorts } from '../doctor/local-ports.js';
import { observed } from '../doctor/observe.js';
import { scannerAt } from '../scanners/connection.js';
import type { Target } from '../scanners/target.js';
import type { Problems } from './journal-entry.js';

/** Time to receive data and to watch metrics (ms), as for azimuth doctor. */
const watchMs = 1200;

/** Pause between two looks at a scanner that is not as fine as before (ms). */
const lookAgainMs = 2000;

type CheckFinding = Finding & { readonly check: string };

/** Only one scanner at a time is looked at: several may send to the same port of this computer. */
const looks = new Mutex();

/** Returns the problems that azimuth doctor finds now. It needs no password. @throws ClientError */
async function problemsNow(target: Pick<Target, 'url'>): Promise<readonly CheckFinding[]> {
  const observation = await looks.run(() =>
    observed({
      scanner: scannerAt(target),
      behind: '',
      ports: new LocalPorts(watchMs),
      neighbours: Promise.resolve(undefined),
      unsaved: () => Promise.resolve(undefined),
      watchMs,
    }),
  );
  return allFindings(checkResults(observation)).filter(({ severity }) => severity === 'problem');
}

/** Returns the number of problems by check, before a change. @throws ClientError */
export async function healthBefore(target: Pick<Target, 'url'>): Promise<Problems> {
  return counted(await problemsNow(target));
}

/**
 * Waits until a scanner has no problem that it did not have before its change. Warnings do not count.
 * @param settleMs how long it may take
 * @throws CommandFailure with the new problems, UnreachableError if it does not answer
 */
export async function requireHealthAsBefore(
  target: Pick<Target, 'url'>,
  before: Problems,
  settleMs: number,
  signal: AbortSignal,
): Promise<void> {
  const end = performance.now() + settleMs;
  for (;;) {
    const isLast = performance.now() >= end || signal.aborted;
    const found = await newProblems(target, before, isLast);
    if (found?.length === 0) return;
    if (isLast && found !== undefined) {
      const texts = found.map(({ check, text }) => `${check}: ${text}`).join('; ');
      throw new CommandFailure(`its health is worse than before the change: ${texts}`, 'refused');
    }
    await pause(lookAgainMs, signal);
  }
}

/** Returns the new problems; undefined while nothing answers. @throws ClientError at the last look */
async function newProblems(
  target: Pick<Target, 'url'>,
  before: Problems,
  isLast: boolean,
): Promise<readonly CheckFinding[] | undefined> {
  try {
    return problemsSince(before, await problemsNow(target));
  } catch (error) {
    if (!isLast && (error instanceof UnreachableError || error instanceof AnswerError)) return undefined;
    throw error;
  }
}

/** Returns the findings of each check that has more of them than before: their texts contain numbers that change. */
export function problemsSince(before: Problems, now: readonly CheckFinding[]): readonly CheckFinding[] {
  const counts = counted(now);
  return now.filter(({ check }) => (counts[check] ?? 0) > (before[check] ?? 0));
}

function counted(findings: readonly CheckFinding[]): Problems {
  const counts: Record<string, number> = {};
  for (const { check } of findings) counts[check] = (counts[check] ?? 0) + 1;
  return counts;
}
