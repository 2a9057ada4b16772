import { counted } from '@azimuth/model';
import { cellOf } from '../output/table.js';
import { findingsOf, type Looked } from './all-checks.js';
import { type Finding, severities } from './check.js';

/** Findings as JSON. */
export function findingsJson(findings: readonly (Finding & { readonly check?: string })[]) {
  return findings.map(({ check = 'answer', severity, text, advice, fix }) => ({
    check,
    severity,
    text,
    advice,
    fixable: fix !== undefined,
  }));
}

/** A finding in a line. */
export function findingLine({ severity, text, advice }: Finding): string {
  return line(severity, advice === '' ? text : `${text} – ${advice}`);
}

function line(word: string, text: string): string {
  return `${word.padEnd(width)}  ${cellOf(text, longestText)}`;
}

/** Characters of a finding: some repeat what a scanner tells. */
const longestText = 1000;

/** A report as JSON. */
export function reportJson(url: string, looked: readonly Looked[]) {
  const said = <K extends 'fine' | 'unseen' | 'absent'>(kind: K) =>
    looked.flatMap(({ check: { name, about }, verdict }) => {
      const text = textOf(verdict, kind);
      return text === undefined ? [] : [{ check: name, about, text }];
    });
  return {
    url,
    findings: findingsJson(findingsOf(looked)),
    unseen: said('unseen'),
    fine: said('fine'),
    absent: said('absent'),
  };
}

function textOf(verdict: Looked['verdict'], kind: 'fine' | 'unseen' | 'absent'): string | undefined {
  if (kind === 'fine') return 'fine' in verdict ? verdict.fine : undefined;
  if (kind === 'unseen') return 'unseen' in verdict ? verdict.unseen : undefined;
  return 'absent' in verdict ? verdict.absent : undefined;
}

const width = Math.max(...severities.map(({ length }) => length), 'unseen'.length);

/**
 * A report in lines: a line for each finding, the worst first, and a summary.
 * @param all also lines for what is fine, what could not be looked at, and what the scanner does not have
 */
export function reportLines(looked: readonly Looked[], all: boolean): readonly string[] {
  const findings = findingsOf(looked).map(findingLine);
  const report = reportJson('', looked);
  const rest = all
    ? (['unseen', 'fine', 'absent'] as const).flatMap((kind) =>
        report[kind].map(({ about, text }) => line(kind, `${about}: ${text}`)),
      )
    : [];
  return [...findings, ...rest, summaryOf(looked, all)];
}

function summaryOf(looked: readonly Looked[], all: boolean): string {
  const { findings, unseen } = reportJson('', looked);
  const counts = severities.map((severity) => ({
    severity,
    count: findings.filter((finding) => finding.severity === severity).length,
  }));
  const some = counts.filter(({ count }) => count > 0).map(({ severity, count }) => counted(count, severity));
  const result = some.length === 0 ? 'nothing is wrong' : some.join(', ');
  const hidden = unseen.length === 0 ? '' : `, ${unseen.length} could not be looked at`;
  const hint = unseen.length === 0 || all ? '' : ' (--all lists them)';
  return `${counted(looked.length, 'check')}: ${result}${hidden}${hint}`;
}
