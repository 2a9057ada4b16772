import type { CheckReport } from '../run/check-report.js';

/** Name and version of this program, as reports state them. */
export interface CheckTool {
  readonly name: string;
  readonly version: string;
}

/** Returns the reports of scanners as one JSON document. `format` rises if a reader of this one could misread it. */
export function jsonReport(reports: readonly CheckReport[], tool: CheckTool): Record<string, unknown> {
  return {
    format: 1,
    tool,
    reports: reports.map(({ results, ...report }) => ({
      ...report,
      results: results.map(({ case: one, verdict, failure, reason, milliseconds }) => ({
        id: one.id,
        clause: one.clause,
        place: one.place,
        level: one.level,
        stage: one.stage,
        verdict,
        ...(reason === undefined ? {} : { reason }),
        ...(failure === undefined ? {} : { failure }),
        milliseconds: Math.round(milliseconds),
      })),
    })),
  };
}
