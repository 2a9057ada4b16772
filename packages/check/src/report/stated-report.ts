import { isObject } from '@azimuth/model';
import { type Verdict, verdicts } from '../run/case-result.js';
import type { CheckReport } from '../run/check-report.js';
import type { CheckTool } from './json.js';

/** What a JSON report says of the check of one scanner. */
export interface StatedReport extends Pick<CheckReport, 'began' | 'finished' | 'counts'> {
  readonly scanner: Readonly<Record<'url' | 'name' | 'version' | 'serialNumber', string>>;
}

/** What a JSON report says of itself. */
export interface StatedReports {
  readonly tool: CheckTool;
  readonly reports: readonly StatedReport[];
}

/** Returns what a JSON document of unknown origin states; undefined if it is no report of a check. */
export function statedReports(document: unknown): StatedReports | undefined {
  if (!isObject(document) || document.format !== 1) return undefined;
  const { tool, reports } = document;
  if (!isObject(tool) || !Array.isArray(reports)) return undefined;
  const stated = reports.map(statedReport);
  if (!stated.every((one) => one !== undefined)) return undefined;
  return { tool: { name: textOf(tool.name), version: textOf(tool.version) }, reports: stated };
}

function statedReport(report: unknown): StatedReport | undefined {
  if (!isObject(report) || !isObject(report.scanner) || !isObject(report.counts)) return undefined;
  const { url, name, version, serialNumber } = report.scanner;
  return {
    scanner: {
      url: textOf(url),
      name: textOf(name),
      version: textOf(version),
      serialNumber: textOf(serialNumber),
    },
    began: textOf(report.began),
    finished: textOf(report.finished),
    counts: countsOf(report.counts),
  };
}

function countsOf(counts: Readonly<Record<string, unknown>>): Readonly<Record<Verdict, number>> {
  const none: Record<Verdict, number> = {
    pass: 0,
    fail: 0,
    warn: 0,
    noted: 0,
    deviation: 0,
    'unexpected-pass': 0,
    'not-tested': 0,
  };
  for (const verdict of verdicts) none[verdict] = Number(counts[verdict] ?? 0);
  return none;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
