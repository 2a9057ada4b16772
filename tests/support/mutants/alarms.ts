import {
  type CaseResult,
  type CheckRun,
  type CheckTarget,
  editionSubject,
  runCases,
  type Stage,
  selectedCases,
  stages,
} from '@azimuth/check';
import type { Edition } from '@azimuth/model';
import { type StartOptions, startScanner, type TestScanner } from '@azimuth/testing';
import { bundleOf, issue } from '../certificates.js';
import { checkedOptions, checkedTarget } from './checked-target.js';

/** A scanner that keeps the interface, and what is checked of it. */
export interface Checked {
  readonly edition: Edition;
  /** Scheme of the URL. HTTP by default. For HTTPS, a certificate is installed: releases before 2.1.0 cannot have one. */
  readonly scheme?: 'http' | 'https';
  readonly stages?: readonly Stage[];
  readonly only?: (id: string) => boolean;
  /** Over those of every check. */
  readonly options?: StartOptions;
  readonly target?: (scanner: TestScanner) => Partial<CheckTarget>;
  /** Done before the check. */
  readonly prepare?: (scanner: TestScanner) => Promise<unknown>;
}

/** What a check said about such a scanner. */
export interface Alarms {
  /** Failures and warnings, one line each: with the id, the edition, what was expected, and what came. */
  readonly false: readonly string[];
  /** Number of cases that were not tested, by the reason. */
  readonly untested: Readonly<Record<string, number>>;
  /** Share of the cases that were tested, in percent. */
  readonly tested: number;
  readonly cases: number;
}

/** Checks a scanner of its own. */
export async function alarmsOf(checked: Checked): Promise<Alarms> {
  const { edition, scheme = 'http', options = {}, target, prepare } = checked;
  await using scanner = await startScanner({ ...checkedOptions(edition), ...options });
  await prepare?.(scanner);
  const all = checkedTarget(scanner);
  const url = scheme === 'https' ? await securedUrl(scanner, all) : all.url;
  const subject = editionSubject(edition.release, edition.variant);
  const cases = selectedCases(subject, { stages: new Set(checked.stages ?? stages), only: checked.only });
  const run = await runCases(cases, { ...all, url, ...target?.(scanner) }, subject);
  return summary(run, `${edition.release} ${edition.variant} ${scheme}`);
}

/** Installs a certificate, and returns the URL of HTTPS. @throws Error if the scanner has no HTTPS */
async function securedUrl({ client }: TestScanner, { httpsUrl }: CheckTarget): Promise<string> {
  const { contentCertificateBundle: certificates, contentPrivateKey: privateKey } = bundleOf([issue()]);
  await client.setCertificates({ certificates, privateKey });
  if (httpsUrl === undefined) throw new Error('expected a scanner with a port for HTTPS, got none');
  return httpsUrl;
}

function summary({ results, leftovers, ended }: CheckRun, what: string): Alarms {
  const untested = results.filter(({ verdict }) => verdict === 'not-tested');
  const reasons: Record<string, number> = {};
  for (const { reason = '' } of untested) reasons[reason] = (reasons[reason] ?? 0) + 1;
  return {
    false: [
      ...results
        .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
        .map((one) => lineOf(one, what)),
      ...leftovers.map((leftover) => `${what}: left behind: ${leftover.what}: ${leftover.command}`),
      ...(ended === undefined ? [] : [`${what}: the check was ${ended}`]),
    ],
    untested: reasons,
    tested: (100 * (results.length - untested.length)) / results.length,
    cases: results.length,
  };
}

function lineOf({ case: { id }, failure, verdict }: CaseResult, what: string): string {
  const { step, at, expected, came } = failure ?? { step: 0, at: verdict, expected: '', came: '' };
  return `${id} at ${what}, step ${step}, ${at}: expected ${expected}, came ${came}`;
}
