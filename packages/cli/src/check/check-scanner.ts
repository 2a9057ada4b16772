import { pause } from '@azimuth/async';
import {
  type CheckReport,
  type CheckTarget,
  checkScanner,
  identify,
  NoAnswer,
  selectedBy,
  selectedCases,
  Unmet,
} from '@azimuth/check';
import type { LoginLevel } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { bytesOfFile } from '../input/bounded-file.js';
import { canLogIn, scannerAt, scannerWithLogin } from '../scanners/connection.js';
import type { Target } from '../scanners/target.js';
import type { TargetOutput } from '../scanners/target-output.js';
import { type CheckOptions, stagesOf } from './check-options.js';
import type { ExpectedScanner } from './expected-scanner.js';
import { wiresFor } from './wires.js';

/** Largest firmware file in bytes. */
const longestFirmware = 100 * 1024 * 1024;

type LevelPasswords = Readonly<Partial<Record<LoginLevel, string>>>;

/** What the checks of all scanners share. */
export interface SharedCheck {
  readonly options: CheckOptions;
  readonly expected: ExpectedScanner;
  /** Passwords by level, of a file. */
  readonly passwords: LevelPasswords;
  /** Ends the checks, and everything is put back. */
  readonly signal: AbortSignal;
}

/** Time of a check of a real scanner. */
const realClock = {
  now: () => Date.now(),
  wait: (milliseconds: number, signal?: AbortSignal) => pause(milliseconds, signal),
};

/** Returns the target of a check over HTTP or HTTPS alone, without a password. */
export function checkTarget(url: string): CheckTarget {
  return { url, passwords: {}, clock: realClock };
}

/** @throws CommandFailure if what answers at a URL is no scanner that can be checked */
export async function answered<T>(url: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof NoAnswer || error instanceof Unmet)) throw error;
    throw new CommandFailure(`${url}: is no scanner that can be checked: ${error.message}`, 'unreachable');
  }
}

/** Checks one scanner. @throws CommandFailure if nothing can be checked, ScannerError while logins are locked */
export async function checkedScanner(
  target: Target,
  output: TargetOutput,
  { options, expected, passwords, signal }: SharedCheck,
): Promise<CheckReport> {
  const stages = stagesOf(options);
  const known = await knownPasswords(target, passwords, stages.size > 1);
  const asked = scannerAt(target);
  const found = checkTarget(asked.url);
  const scanner = await answered(asked.url, () => identify(found, expected.stated));
  const subject = expected.subjectOf(scanner);
  const selection = { stages, only: selectedBy(options.only ?? []) };
  const cases = selectedCases(subject, selection);
  const firmware =
    options.firmware === undefined
      ? undefined
      : await bytesOfFile(options.firmware, { limit: longestFirmware });
  const wires = await wiresFor(cases, asked, options);
  const progress = output.progress();
  const percent = progress.percentOf('checked');
  const report = await checkScanner(
    { ...found, ...wires, passwords: known, patienceSeconds: options.patience, firmware },
    { scanner, subject },
    {
      ...selection,
      signal,
      deviations: expected.deviations,
      progress: (_, done, all) => percent((100 * done) / all),
    },
  );
  progress.end();
  return report;
}

/**
 * Returns the passwords that are known. That of Service is asked for if a stage needs it, and tried once: a wrong one would lock
 * the scanner.
 */
async function knownPasswords(
  target: Target,
  passwords: LevelPasswords,
  needsLogin: boolean,
): Promise<LevelPasswords> {
  const service =
    passwords.Service ??
    (needsLogin ? await target.passwordOf('Service') : await target.knownPasswordOf('Service'));
  if (service === undefined) return passwords;
  const known = { ...passwords, Service: service };
  if (!needsLogin) return known;
  const tried = await scannerWithLogin({ ...target, user: 'Service', passwordOf: async () => service });
  if (await canLogIn(tried)) return known;
  throw new CommandFailure(
    `${tried.url}: the password of Service is wrong, or the level is off: nothing was checked`,
    'denied',
  );
}
