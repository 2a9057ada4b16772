import type { ServerResponse } from 'node:http';
import type { ListedUnit } from './listed-unit.js';

/** Scanners on the page; further ones are found by `?q=`. */
export const mostRows = 500;

const style = `body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color-scheme:light dark}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .8rem .3rem 0;border-bottom:1px solid #8884}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}input{font:inherit;padding:.2rem .4rem}.failed{font-weight:600}`;

/** Only the style above may be used: no script, nothing from elsewhere. */
const policy = `default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;

/**
 * Sends the first page of a fleet: its scanners as a table, with links to the GUI of each.
 * @param all how many scanners the fleet has
 * @param pattern by which those of the list were chosen; empty for all
 */
export function sendOverviewPage(
  response: ServerResponse,
  units: readonly ListedUnit[],
  all: number,
  pattern: string,
): void {
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  });
  response.end(overviewPage(units, all, pattern));
}

function overviewPage(units: readonly ListedUnit[], all: number, pattern: string): string {
  const rows = units.slice(0, mostRows).map(rowOf).join('\n');
  const shown = Math.min(units.length, mostRows);
  const counted = shown === all ? `${all} scanners.` : `${shown} of ${all} scanners.`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Fleet</title><style>${style}</style></head>
<body><h1>Fleet</h1>
<form><label>Serial number, part of it with *, or group/*: <input name="q" value="${escaped(pattern)}"></label> <button>Show</button></form>
<p>${counted} The same as JSON: <a href="scanners">/scanners</a>.</p>
<table><thead><tr><th>Scanner</th><th>Group</th><th>Release</th><th>State</th><th class="number">Requests</th><th class="number">Unsaved</th><th class="number">Faults</th></tr></thead>
<tbody>
${rows}
</tbody></table></body></html>
`;
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
}: ListedUnit): string {
  const title = failure === undefined ? '' : ` title="${escaped(failure)}"`;
  return `<tr><td><a href="${path.slice(1)}/">${serialNumber}</a></td><td>${escaped(group)}</td><td>${release}</td><td class="${state}"${title}>${state}</td><td class="number">${requests}</td><td class="number">${unsaved}</td><td class="number">${faults}</td></tr>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
