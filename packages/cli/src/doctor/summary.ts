import { counted } from '@azimuth/model';
import { tableCell } from '../output/table.js';
import { type Finding, severities } from './check.js';
import { findingLine } from './report.js';

/** The findings of one of several scanners. */
export interface ExaminedScanner {
  readonly label: string;
  /** Options in advice that send a command to this scanner alone: ` --device @gate3`. */
  readonly behind: string;
  readonly findings: readonly Finding[];
}

/** A finding, and the scanners that have it. */
interface Cause {
  readonly finding: Finding;
  readonly scanners: readonly ExaminedScanner[];
}

/** Most characters of a line with names. */
const longestNames = 1000;

/**
 * Returns the findings of several scanners by their cause: what several have is one line with their names and one advice,
 * the worst first; then what only one has; then a summary.
 * @param behindAll options that send a command to all of them: ` --device '@hall/*'`
 */
export function summaryLines(scanners: readonly ExaminedScanner[], behindAll: string): readonly string[] {
  const causes = causesOf(scanners);
  const shared = causes.filter((cause) => cause.scanners.length > 1);
  const single = causes.filter((cause) => cause.scanners.length === 1);
  return [
    ...worstFirst(shared).flatMap((cause) => sharedLines(cause, scanners.length, behindAll)),
    ...worstFirst(single).map(singleLine),
    countLine(scanners),
  ];
}

function causesOf(scanners: readonly ExaminedScanner[]): readonly Cause[] {
  const causes = new Map<string, Cause>();
  for (const scanner of scanners) {
    for (const finding of scanner.findings) {
      const advice = forAnybody(finding.advice, scanner);
      const key = JSON.stringify([finding.severity, finding.text, advice]);
      const before = causes.get(key)?.scanners ?? [];
      causes.set(key, { finding: { ...finding, advice }, scanners: [...before, scanner] });
    }
  }
  return [...causes.values()];
}

/** Stands for the scanners of a command. No advice has this character. */
const place = '\u0000';

function forAnybody(advice: string, { behind }: ExaminedScanner): string {
  return behind === '' ? advice : advice.replaceAll(behind, place);
}

function worstFirst(causes: readonly Cause[]): readonly Cause[] {
  const weight = ({ finding }: Cause) => severities.indexOf(finding.severity);
  return causes.toSorted(
    (one, other) => weight(one) - weight(other) || other.scanners.length - one.scanners.length,
  );
}

function sharedLines({ finding, scanners }: Cause, all: number, behindAll: string): readonly string[] {
  const isAll = scanners.length === all;
  const behind = isAll ? behindAll : scanners.map((scanner) => scanner.behind).join('');
  const count = counted(all, 'scanner');
  const text = `${isAll ? `all ${count}` : `${scanners.length} of ${count}`}: ${finding.text}`;
  const names = scanners.map(({ label }) => label).join(', ');
  return [
    findingLine({ ...finding, text, advice: finding.advice.replaceAll(place, behind) }),
    `         ${tableCell(names, longestNames)}`,
  ];
}

function singleLine({ finding, scanners }: Cause): string {
  const [only] = scanners;
  return findingLine({
    ...finding,
    text: `${only?.label ?? ''}: ${finding.text}`,
    advice: finding.advice.replaceAll(place, only?.behind ?? ''),
  });
}

function countLine(scanners: readonly ExaminedScanner[]): string {
  const worst = scanners.map(({ findings }) =>
    severities.find((severity) => findings.some((finding) => finding.severity === severity)),
  );
  const parts = [...severities, undefined].flatMap((severity) => {
    const count = worst.filter((each) => each === severity).length;
    return count === 0 ? [] : [severity === undefined ? `${count} fine` : `${count} with a ${severity}`];
  });
  return `${counted(scanners.length, 'scanner')}: ${parts.join(', ')}`;
}
