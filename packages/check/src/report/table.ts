import { counted } from '@azimuth/model';
import type { CaseResult } from '../run/case-result.js';
import type { CheckReport } from '../run/check-report.js';
import { verdictCounts } from '../run/verdict-counts.js';
import { endings } from './ending.js';
import { reasonsNotTested } from './not-tested.js';
import { type SameKind, sameKinds } from './same-kind.js';
import { byArea, describedVerdicts, secondsOf, verdictWords, worstFirst } from './verdicts.js';

/** Ids of the same kind that are listed. */
const mostListed = 5;

/**
 * Returns a report for people, as lines: what is not as expected, the areas, what was not tested and why, and the sum. The texts
 * of the scanner are as they came: a terminal needs them without control characters.
 */
export function tableLines(report: CheckReport): readonly string[] {
  const { results } = report;
  const kinds = sameKinds(worstFirst(results.filter(({ verdict }) => describedVerdicts.includes(verdict))));
  return [
    headline(report),
    '',
    ...kinds.flatMap((kind) => [...kindLines(kind), '']),
    ...areaLines(results),
    '',
    ...notTestedLines(results),
    ...leftoverLines(report),
    sumLine(report),
  ];
}

function headline({
  scanner: { name, version, serialNumber, url, release, variant },
  stages,
}: CheckReport): string {
  const who = [name, version, serialNumber === '' ? '' : `(${serialNumber})`].filter((part) => part !== '');
  const what = who.length === 0 ? 'A scanner' : who.join(' ');
  return `${what} at ${url}, checked as ${release} ${variant}; stages: ${stages.join(', ')}`;
}

function kindLines({ first, others }: SameKind): readonly string[] {
  const { case: one, verdict, failure, reason } = first;
  const lines = [
    `${verdictWords[verdict]}  ${one.id}`,
    `  ${one.clause} [${one.place}]`,
    ...(reason === undefined ? [] : [`  reason    ${reason}`]),
  ];
  if (failure !== undefined) {
    lines.push(
      `  at        ${failure.at}${failure.step === 0 ? '' : ` (step ${failure.step} of ${one.steps.length})`}`,
      `  expected  ${failure.expected}`,
      `  came      ${failure.came}`,
      ...failure.byHand.map((command, index) => `  ${index === 0 ? 'by hand ' : '        '}  ${command}`),
    );
  }
  if (others.length > 0) {
    const more = others.length > mostListed ? `, and ${others.length - mostListed} more` : '';
    lines.push(`  likewise  ${others.slice(0, mostListed).join(', ')}${more}`);
  }
  return lines;
}

function areaLines(results: readonly CaseResult[]): readonly string[] {
  const columns = ['pass', 'fail', 'warn', 'not-tested'] as const;
  const rows = [...byArea(results)].map(([area, ofArea]) => {
    const counts = verdictCounts(ofArea);
    return [area, ...columns.map((column) => String(counts[column]))];
  });
  const head = ['area', 'pass', 'fail', 'warn', 'not tested'];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  return [head, ...rows].map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
}

function notTestedLines(results: readonly CaseResult[]): readonly string[] {
  const reasons = reasonsNotTested(results);
  if (reasons.length === 0) return [];
  return ['Not tested:', ...reasons.map(([reason, count]) => `  ${count}  ${reason}`), ''];
}

function leftoverLines({ leftovers, ended }: CheckReport): readonly string[] {
  const lines = ended === undefined ? [] : [endings[ended], ''];
  if (leftovers.length === 0) return lines;
  return [
    ...lines,
    'Not put back. Do it by hand:',
    ...leftovers.map(({ what, command }) => `  ${command}    (${what})`),
    '',
  ];
}

function sumLine(report: CheckReport): string {
  const { counts } = report;
  const parts = [
    `${counts.pass} passed`,
    `${counts.fail} failed`,
    counted(counts.warn, 'warning'),
    ...(counts.deviation > 0 ? [counted(counts.deviation, 'declared deviation')] : []),
    ...(counts['unexpected-pass'] > 0
      ? [counted(counts['unexpected-pass'], 'unexpected pass', 'unexpected passes')]
      : []),
    ...(counts.noted > 0 ? [counted(counts.noted, 'note')] : []),
    `${counts['not-tested']} not tested`,
  ];
  return `${parts.join(', ')}, in ${secondsOf(report).toFixed(1)} s`;
}
