import { counted, DeviceStatus } from '@azimuth/model';
import type { ActiveCondition, ScannerSnapshot } from '../state/scanner-snapshot.js';

/** Policy that allows only the style below: no script, nothing from elsewhere. */
export const statusPolicy = `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'`;

const style = `body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color-scheme:light dark}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.35rem .9rem .35rem 0;border-bottom:1px solid #8884}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}ul{margin:0;padding:0;list-style:none}
.error{color:light-dark(#a40000,#ff8080);font-weight:600}.warning{color:light-dark(#7a4a00,#ffc560)}.quiet{opacity:.7}`;

/** Seconds after which a browser loads the page again. */
const refresh = 10;

/**
 * Returns a page with the state of all scanners, those with trouble first. It works without scripts.
 * @param now milliseconds since 1970-01-01 UTC
 */
export function statusPage(snapshots: readonly ScannerSnapshot[], now: number): string {
  const sorted = snapshots.toSorted((one, other) => weightOf(other) - weightOf(one));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="${refresh}"><title>${escaped(titleOf(snapshots))}</title><style>${style}</style></head>
<body><h1>${escaped(titleOf(snapshots))}</h1>
<table><thead><tr><th>Scanner</th><th>Trouble</th><th>State</th><th class="number">°C</th><th>Firmware</th><th>Serial number</th><th>Place</th><th>Last answer</th></tr></thead>
<tbody>
${sorted.map((snapshot) => rowOf(snapshot, now)).join('\n')}
</tbody></table>
<p class="quiet">The same for programs: <a href="scanners">/scanners</a> (JSON), <a href="metrics">/metrics</a> (Prometheus).</p></body></html>
`;
}

function titleOf(snapshots: readonly ScannerSnapshot[]): string {
  const troubled = snapshots.filter(({ conditions }) => conditions.length > 0).length;
  const unseen = snapshots.filter(({ reachable }) => reachable === undefined).length;
  const all = counted(snapshots.length, 'scanner');
  if (troubled > 0) return `${troubled} of ${all} with trouble`;
  return unseen > 0 ? `${all}, ${unseen} not seen yet` : `${all}, no trouble`;
}

/** Errors come before warnings, and these before scanners that were not seen yet. */
function weightOf({ conditions, reachable }: ScannerSnapshot): number {
  const errors = conditions.filter(({ severity }) => severity === 'error').length;
  if (conditions.length > 0) return 10 + errors * 100 + conditions.length;
  return reachable === undefined ? 1 : 0;
}

function rowOf(snapshot: ScannerSnapshot, now: number): string {
  const { name, url, values, serial, firmware, conditions, answeredAt } = snapshot;
  const temperature = values.get('CurrentTempDev');
  const cells = [
    `<a href="${escaped(url)}/" rel="noreferrer">${escaped(name)}</a>`,
    conditions.length === 0 ? '' : `<ul>${conditions.map((each) => conditionItem(each, now)).join('')}</ul>`,
    escaped(stateText(snapshot)),
    typeof temperature === 'number' ? temperature.toFixed(0) : '',
    escaped(text(firmware)),
    escaped(text(serial)),
    escaped(text(values.get('LocationName'))),
    answeredAt === undefined ? 'never' : escaped(`${durationText(now - answeredAt)} ago`),
  ];
  return `<tr>${cells.map((cell, index) => `<td${index === 3 ? ' class="number"' : ''}>${cell}</td>`).join('')}</tr>`;
}

function conditionItem({ severity, part, text, since }: ActiveCondition, now: number): string {
  const place = part === '' ? '' : `${part}: `;
  return `<li class="${severity}">${escaped(`${place}${text}`)} <span class="quiet">for ${escaped(durationText(now - since))}</span></li>`;
}

function stateText({ reachable, values }: ScannerSnapshot): string {
  if (reachable === undefined) return 'not seen yet';
  if (!reachable) return 'does not answer';
  const status = values.get('DeviceStatus');
  const entry = Object.entries(DeviceStatus).find(([, value]) => value === status);
  return entry === undefined
    ? text(status)
    : entry[0].replace(/^DS_/, '').replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');
}

/** Longest text of a scanner on the page: it may send anything. */
const maxTextLength = 100;

function text(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, maxTextLength);
  return typeof value === 'number' ? String(value) : '';
}

const units = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
] as const;

/** Returns a duration in its largest unit: `3 d`, `12 s`. */
function durationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const unit = units.find(([length]) => seconds >= length);
  return unit === undefined ? `${seconds} s` : `${Math.floor(seconds / unit[0])} ${unit[1]}`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
