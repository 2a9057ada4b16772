import { counted } from '@azimuth/model';
import { tableCell } from '../output/table.js';
import { allFindings, type CheckResult } from './all-checks.js';
import { type Finding, severities } from './check.js';

/** Returns findings as JSON. */
export function findingsJson(findings: readonly (Finding & { readonly check?: string })[]) {
  return findings.map(({ check = 'answer', severity, text, advice, fix }) => ({
    check,
    severity,
    text,
    advice,
    fixable: fix !== undefined,
  }));
}

/** Returns a finding in a line. */
export function findingLine({ severity, text, advice }: Finding): string {
  return line(severity, advice === '' ? text : `${text} – ${advice}`);
}

function line(word: string, text: string): string {
  return `${word.padEnd(width)}  ${tableCell(text, maxTextLength)}`;
}

/** Maximum characters of a finding: some contain text from the scanner. */
const maxTextLength = 1000;

/** Returns a report as JSON. */
export function reportJson(url: string, results: readonly CheckResult[]) {
  const namesWith = <K extends 'fine' | 'unseen' | 'absent'>(kind: K) =>
    results.flatMap(({ check: { name, about }, verdict }) => {
      const text = verdictText(verdict, kind);
      return text === undefined ? [] : [{ check: name, about, text }];
    });
  return {
    url,
    findings: findingsJson(allFindings(results)),
    unseen: namesWith('unseen'),
    fine: namesWith('fine'),
    absent: namesWith('absent'),
  };
}

function verdictText(
  verdict: CheckResult['verdict'],
  kind: 'fine' | 'unseen' | 'absent',
): string | undefined {
  if (kind === 'fine') return 'fine' in verdict ? verdict.fine : undefined;
  if (kind === 'unseen') return 'unseen' in verdict ? verdict.unseen : undefined;
  return 'absent' in verdict ? verdict.absent : undefined;
}

const width = Math.max(...severities.map(({ length }) => length), 'unseen'.length);

/**
 * Returns a report in lines: a line for each finding, the worst first, and a summary.
 * @param all also lines for good results, for impossible checks, and for missing features
 */
export function reportLines(results: readonly CheckResult[], all: boolean): readonly string[] {
  const findings = allFindings(results).map(findingLine);
  const report = reportJson('', results);
  const rest = all
    ? (['unseen', 'fine', 'absent'] as const).flatMap((kind) =>
        report[kind].map(({ about, text }) => line(kind, `${about}: ${text}`)),
      )
    : [];
  return [...findings, ...rest, reportSummary(results, all)];
}

function reportSummary(results: readonly CheckResult[], all: boolean): string {
  const { findings, unseen } = reportJson('', results);
  const counts = severities.map((severity) => ({
    severity,
    count: findings.filter((finding) => finding.severity === severity).length,
  }));
  const some = counts.filter(({ count }) => count > 0).map(({ severity, count }) => counted(count, severity));
  const result = some.length === 0 ? 'nothing is wrong' : some.join(', ');
  const hidden = unseen.length === 0 ? '' : `, ${unseen.length} could not be looked at`;
  const hint = unseen.length === 0 || all ? '' : ' (--all lists them)';
  return `${counted(results.length, 'check')}: ${result}${hidden}${hint}`;
}
