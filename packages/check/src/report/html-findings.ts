import type { Verdict } from '../run/case-result.js';
import type { CheckReport } from '../run/check-report.js';
import { endings } from './ending.js';
import { htmlAnchor, htmlTitle, htmlVerdict } from './html-words.js';
import { markupText } from './markup-text.js';
import { reasonsNotTested } from './not-tested.js';
import { type SameKind, sameKinds } from './same-kind.js';
import { describedVerdicts } from './verdicts.js';

/** Returns what is not as expected, as articles: the worst first. The same fault of several names has one. */
export function htmlFindings(reports: readonly CheckReport[]): string {
  const articles = describedVerdicts.flatMap((verdict) =>
    reports.flatMap((report, scanner) =>
      sameKinds(report.results.filter((result) => result.verdict === verdict)).map((kind) =>
        finding(report, kind, scanner),
      ),
    ),
  );
  return articles.length === 0
    ? '<p class="pass">Everything that was tested is as expected.</p>'
    : articles.join('\n');
}

function finding(report: CheckReport, { first, others }: SameKind, scanner: number): string {
  const { case: one, verdict, failure, reason } = first;
  const facts: (readonly [string, string])[] = [['scanner', `${htmlTitle(report)}, ${report.scanner.url}`]];
  if (reason !== undefined) facts.push(['reason', reason]);
  if (failure !== undefined) {
    facts.push(
      ['at', failure.step === 0 ? failure.at : `${failure.at} (step ${failure.step} of ${one.steps.length})`],
      ['expected', failure.expected],
      ['came', failure.came],
    );
  }
  const list = facts.map(([term, text]) => `<dt>${term}</dt><dd>${markupText(text)}</dd>`).join('');
  const byHand = failure?.byHand.map((command) => `<pre>${markupText(command)}</pre>`).join('') ?? '';
  return `<article id="${htmlAnchor(scanner, one.id)}"><h3>${word(verdict)} ${markupText(one.id)}</h3><p>${markupText(one.clause)} <span class="place">${markupText(one.place)}</span></p><dl>${list}${likewise(others, scanner)}</dl>${byHand}</article>`;
}

function word(verdict: Verdict): string {
  return `<span class="${verdict}">${htmlVerdict(verdict)}</span>`;
}

function likewise(others: readonly string[], scanner: number): string {
  if (others.length === 0) return '';
  const ids = others.map((id) => `<code id="${htmlAnchor(scanner, id)}">${markupText(id)}</code>`);
  return `<dt>likewise</dt><dd>${ids.join(', ')}</dd>`;
}

/** Returns what a reader has to know first: why checks ended early, and what was not put back. */
export function htmlWarnings(reports: readonly CheckReport[]): string {
  return reports.map(warnings).join('');
}

function warnings(report: CheckReport): string {
  const { ended, leftovers } = report;
  const parts = [
    ...(ended === undefined ? [] : [`<p class="warn">${endings[ended]}</p>`]),
    ...(leftovers.length === 0 ? [] : ['<p class="warn">Not put back. Do it by hand:</p>']),
    ...leftovers.map(({ what, command }) => `<p>${markupText(what)}</p><pre>${markupText(command)}</pre>`),
  ];
  return parts.length === 0 ? '' : `<h2>${markupText(htmlTitle(report))}</h2>${parts.join('')}`;
}

/** Returns how many cases of each scanner were not tested, and why. */
export function htmlNotTested(reports: readonly CheckReport[]): string {
  const lists = reports.flatMap((report) => {
    const reasons = reasonsNotTested(report.results);
    if (reasons.length === 0) return [];
    const items = reasons.map(([reason, count]) => `<li>${count}: ${markupText(reason)}</li>`);
    return [`<h3>${markupText(htmlTitle(report))}</h3><ul>${items.join('')}</ul>`];
  });
  return lists.length === 0 ? '' : `<h2>What was not tested</h2>${lists.join('\n')}`;
}
