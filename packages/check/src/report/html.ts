import { counted } from '@azimuth/model';
import type { ConformanceCase } from '../cases/index.js';
import type { CaseResult, Verdict } from '../run/case-result.js';
import type { CheckReport } from '../run/check-report.js';
import { grouped } from './grouping.js';
import { htmlFindings, htmlNotTested, htmlWarnings } from './html-findings.js';
import { htmlPolicy, htmlStyle } from './html-style.js';
import { htmlAnchor, htmlTitle, htmlVerdict } from './html-words.js';
import type { CheckTool } from './json.js';
import { markupText } from './markup-text.js';
import { areaOf, describedVerdicts, secondsOf } from './verdicts.js';

/**
 * Returns reports as one page without scripts: the sums, what is not as expected, and all cases against all scanners. It loads
 * nothing, so it can be opened from a disk, and be sent to somebody.
 */
export function htmlReport(reports: readonly CheckReport[], tool: CheckTool): string {
  const rows = rowsOf(reports);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${markupText(htmlPolicy)}"><meta name="viewport" content="width=device-width"><title>azimuth check</title><style>${htmlStyle}</style></head>
<body><h1>Conformance of ${counted(reports.length, 'scanner')}</h1>
<p class="place">${markupText(`${tool.name} ${tool.version}, ${reports[0]?.began.slice(0, 16).replace('T', ' ') ?? ''} UTC`)}</p>
${sums(reports)}
${htmlWarnings(reports)}
<h2>What is not as expected</h2>
${htmlFindings(reports)}
${htmlNotTested(reports)}
<h2>All cases</h2>
<label class="only"><input type="checkbox" id="only"> only what is not passed by all</label>
${[...grouped(rows, ({ one }) => areaOf(one.id))].map(([area, ofArea]) => matrix(area, ofArea, reports)).join('\n')}
</body></html>
`;
}

/** One case, with its result for each scanner. */
interface Row {
  readonly one: ConformanceCase;
  readonly results: readonly (CaseResult | undefined)[];
}

function rowsOf(reports: readonly CheckReport[]): readonly Row[] {
  const byId = reports.map(({ results }) => new Map(results.map((result) => [result.case.id, result])));
  const cases = new Map(
    reports.flatMap(({ results }) => results.map(({ case: one }) => [one.id, one] as const)),
  );
  return [...cases.values()].map((one) => ({ one, results: byId.map((results) => results.get(one.id)) }));
}

/** Columns of the sums. */
const sumColumns: readonly Verdict[] = [
  'pass',
  'fail',
  'warn',
  'deviation',
  'unexpected-pass',
  'noted',
  'not-tested',
];

/** Columns that are there also if all of them are 0. */
const alwaysShown: ReadonlySet<Verdict> = new Set(['pass', 'fail', 'warn', 'not-tested']);

function sums(reports: readonly CheckReport[]): string {
  const columns = sumColumns.filter(
    (verdict) => alwaysShown.has(verdict) || reports.some(({ counts }) => counts[verdict] > 0),
  );
  const head = columns.map((verdict) => `<th class="number">${htmlVerdict(verdict)}</th>`).join('');
  const body = reports.map((report) => {
    const { counts } = report;
    const cells = columns.map(
      (verdict) => `<td class="number${counts[verdict] > 0 ? ` ${verdict}` : ''}">${counts[verdict]}</td>`,
    );
    const { url, release, variant } = report.scanner;
    return `<tr><td>${markupText(htmlTitle(report))}<br><span class="place">${markupText(url)}</span></td><td>${markupText(`${release} ${variant}`)}</td><td>${report.stages.join(', ')}</td>${cells.join('')}<td class="number">${secondsOf(report).toFixed(1)} s</td></tr>`;
  });
  return `<div class="wide" role="region" aria-label="Sums" tabindex="0"><table><thead><tr><th>Scanner</th><th>Checked as</th><th>Stages</th>${head}<th class="number">Time</th></tr></thead><tbody>${body.join('\n')}</tbody></table></div>`;
}

function matrix(area: string, rows: readonly Row[], reports: readonly CheckReport[]): string {
  const isOpen = rows.some(({ results }) => results.some((result) => result?.verdict === 'fail'));
  const passed = rows.filter(isAsExpected).length;
  const head = reports.map((report) => `<th class="scanner">${markupText(htmlTitle(report))}</th>`).join('');
  const body = rows.map((row) => {
    const cells = row.results.map((result, scanner) => verdictCell(result, scanner)).join('');
    const { id, clause, place } = row.one;
    return `<tr${isAsExpected(row) ? ' class="as-expected"' : ''}><td><code>${markupText(id)}</code><br>${markupText(clause)} <span class="place">${markupText(place)}</span></td><td>${row.one.level}</td>${cells}</tr>`;
  });
  return `<details${isOpen ? ' open' : ''}><summary><b>${markupText(area)}</b>: ${passed} of ${rows.length} passed by all</summary><div class="wide" role="region" aria-label="${markupText(area)}" tabindex="0"><table><thead><tr><th>Case</th><th>Level</th>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table></div></details>`;
}

function verdictCell(result: CaseResult | undefined, scanner: number): string {
  if (result === undefined) return '<td class="verdict not-tested">–</td>';
  const { verdict, reason } = result;
  const words = htmlVerdict(verdict);
  const text = describedVerdicts.includes(verdict)
    ? `<a class="${verdict}" href="#${htmlAnchor(scanner, result.case.id)}">${words}</a>`
    : words;
  const title = reason === undefined ? '' : ` title="${markupText(reason)}"`;
  return `<td class="verdict ${verdict}"${title}>${text}</td>`;
}

function isAsExpected({ results }: Row): boolean {
  return results.every((result) => result?.verdict === 'pass');
}
