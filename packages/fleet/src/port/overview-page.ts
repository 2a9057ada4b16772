import { counted } from '@azimuth/model';
import { listedStates, type ScannerSummary } from './scanner-summary.js';

/** Scanners on one page. */
const mostRows = 500;

const style = `body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color-scheme:light dark}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .8rem .3rem 0;border-bottom:1px solid #8884}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}input,select{font:inherit;padding:.2rem .4rem}nav{display:flex;gap:1rem;margin:1rem 0}.failed{font-weight:600}`;

/** Policy that allows only the style above: no script, nothing from elsewhere. */
export const overviewPolicy = `default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;

/**
 * Returns a page of a fleet: its scanners as a table, with links to the GUI of each, and to the previous and the next page.
 * @param query `?q=`, `?state=` and `?from=`, as for the list
 * @param all number of scanners of the fleet
 * @param list returns the requested part of the list
 * @throws BadFleetRequest
 */
export async function overviewPage(
  query: URLSearchParams,
  all: number,
  list: (query: URLSearchParams) => Promise<readonly ScannerSummary[]>,
): Promise<string> {
  const selection = selectionIn(query);
  const from = query.get('from') ?? '0';
  // One more than fits on a page: it shows that there is a next page.
  const listed = await list(
    new URLSearchParams([...selection, ['from', from], ['limit', String(mostRows + 1)]]),
  );
  return pageOf({ selection, from: Number(from), all, listed });
}

/** Removes empty fields of the form: they select nothing. */
function selectionIn(query: URLSearchParams): URLSearchParams {
  const selection = new URLSearchParams();
  for (const name of ['q', 'state']) {
    const value = query.get(name) ?? '';
    if (value !== '') selection.set(name, value);
  }
  return selection;
}

interface Page {
  /** The parameters that select its scanners. */
  readonly selection: URLSearchParams;
  /** Index of its first scanner in the list of selected scanners. */
  readonly from: number;
  readonly all: number;
  readonly listed: readonly ScannerSummary[];
}

function pageOf({ selection, from, all, listed }: Page): string {
  const scanners = listed.slice(0, mostRows);
  const states = listedStates.map(
    (state) => `<option${state === selection.get('state') ? ' selected' : ''}>${state}</option>`,
  );
  const linkTo = (first: number, words: string) => {
    const target = new URLSearchParams([...selection, ['from', String(first)]]);
    return `<a href="?${escaped(String(target))}">${words}</a>`;
  };
  const links = [
    ...(from > 0 ? [linkTo(Math.max(0, from - mostRows), 'Previous')] : []),
    ...(listed.length > mostRows ? [linkTo(from + mostRows, 'Next')] : []),
  ];
  const nav = links.length === 0 ? '' : `<nav>${links.join(' ')}</nav>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Fleet</title><style>${style}</style></head>
<body><h1>Fleet</h1>
<form><label>Serial number, part of it with *, or group/*: <input name="q" value="${escaped(selection.get('q') ?? '')}"></label>
<label>State: <select name="state"><option value="">any</option>${states.join('')}</select></label> <button>Show</button></form>
<p>${shownPart({ selection, from, all, listed })} The same as JSON: <a href="scanners${escaped(queryOf(selection))}">/scanners</a>.</p>
<table><thead><tr><th>Scanner</th><th>Group</th><th>Release</th><th>State</th><th class="number">Requests</th><th class="number">Unsaved</th><th class="number">Faults</th></tr></thead>
<tbody>
${scanners.map(rowOf).join('\n')}
</tbody></table>${nav}</body></html>
`;
}

function shownPart({ selection, from, all, listed }: Page): string {
  const shown = Math.min(listed.length, mostRows);
  if (shown === 0) return `None of ${counted(all, 'scanner')}.`;
  const isComplete = from === 0 && listed.length <= mostRows;
  if (isComplete)
    return shown === all ? `${counted(all, 'scanner')}.` : `${shown} of ${counted(all, 'scanner')}.`;
  const part = `${from + 1} to ${from + shown}`;
  return selection.size === 0 ? `${part} of ${counted(all, 'scanner')}.` : `${part} of those that match.`;
}

function queryOf(selection: URLSearchParams): string {
  return selection.size === 0 ? '' : `?${selection}`;
}

function rowOf({
  serialNumber,
  path,
  group,
  release,
  state,
  requests,
  unsaved,
  faults,
  failure,
}: ScannerSummary): string {
  const title = failure === undefined ? '' : ` title="${escaped(failure)}"`;
  return `<tr><td><a href="${escaped(path.slice(1))}/">${escaped(serialNumber)}</a></td><td>${escaped(group)}</td><td>${escaped(release)}</td><td class="${state}"${title}>${state}</td><td class="number">${requests}</td><td class="number">${unsaved}</td><td class="number">${faults}</td></tr>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
