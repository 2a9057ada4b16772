import type { CaseFailure, CaseResult } from '../run/case-result.js';
import type { CheckReport } from '../run/check-report.js';
import { verdictCounts } from '../run/verdict-counts.js';
import { markupText } from './markup-text.js';
import { byArea, secondsOf } from './verdicts.js';

/**
 * Returns reports as JUnit XML: a suite for each area of each scanner. A must that is not kept is a failure, what was not tested
 * and what a profile declares is skipped. JUnit has no warnings: a should that is not kept passes, and says so in its output.
 */
export function junitReport(reports: readonly CheckReport[]): string {
  const suites = reports.flatMap((report) =>
    [...byArea(report.results)].map(([area, results]) => suite(report, area, results)),
  );
  const all = reports.flatMap(({ results }) => results);
  const seconds = reports.reduce((sum, report) => sum + secondsOf(report), 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="azimuth check" ${countsOf(all)} time="${seconds.toFixed(3)}">`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(
  { scanner: { url, name, version, serialNumber }, began }: CheckReport,
  area: string,
  results: readonly CaseResult[],
): string {
  const facts = Object.entries({ url, name, version, serialNumber }).map(
    ([key, value]) => `<property name="${key}" value="${markupText(value)}"/>`,
  );
  const seconds = results.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
  return [
    `<testsuite name="${markupText(`${url} ${area}`)}" ${countsOf(results)} time="${seconds.toFixed(3)}" timestamp="${began.slice(0, 19)}">`,
    `<properties>${facts.join('')}</properties>`,
    ...results.map((result) => testCase(url, area, result)),
    '</testsuite>',
  ].join('\n');
}

function testCase(url: string, area: string, result: CaseResult): string {
  const { case: one, verdict, failure, reason = '', milliseconds } = result;
  const host = url.replace(/^\w+:\/\//, '');
  const open = `<testcase classname="${markupText(`${host}.${area}`)}" name="${markupText(one.id)}" time="${(milliseconds / 1000).toFixed(3)}"`;
  switch (verdict) {
    case 'pass':
      return `${open}/>`;
    case 'not-tested':
    case 'deviation':
      return `${open}><skipped message="${markupText(reason)}"/></testcase>`;
    case 'fail':
      return `${open}><failure type="must" message="${markupText(firstLine(failure))}">${markupText(details(result))}</failure></testcase>`;
    case 'warn':
    case 'noted':
    case 'unexpected-pass':
      return `${open}><system-out>${markupText(`${verdict}\n${details(result)}`)}</system-out></testcase>`;
  }
}

function firstLine(failure: CaseFailure | undefined): string {
  return failure === undefined ? '' : `${failure.at}: expected ${failure.expected}, came ${failure.came}`;
}

function details({ case: one, failure, reason }: CaseResult): string {
  const lines = [`${one.clause} [${one.place}]`];
  if (reason !== undefined) lines.push(reason);
  if (failure !== undefined) lines.push(firstLine(failure), `step ${failure.step}`, ...failure.byHand);
  return lines.join('\n');
}

function countsOf(results: readonly CaseResult[]): string {
  const counts = verdictCounts(results);
  const skipped = counts['not-tested'] + counts.deviation;
  return `tests="${results.length}" failures="${counts.fail}" errors="0" skipped="${skipped}"`;
}
