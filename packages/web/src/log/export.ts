import type { LoggedChange } from '../connection/event-log.js';

/** A table with a line for each change: time (ISO 8601, UTC), name, value as JSON. Commas and quotes as in RFC 4180. */
export function csvOf(changes: readonly LoggedChange[]): string {
  const lines = changes.map(({ at, name, json }) => [timeOf(at), name, json].map(cell).join(','));
  return ['time,name,value', ...lines, ''].join('\r\n');
}

/** A cell. A text that a spreadsheet would run as a formula begins with an apostrophe. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A JSON array with an object for each change: time (ISO 8601, UTC), name, value. */
export function jsonOf(changes: readonly LoggedChange[]): string {
  const lines = changes.map(
    ({ at, name, json }) =>
      `{"time":${JSON.stringify(timeOf(at))},"name":${JSON.stringify(name)},"value":${json}}`,
  );
  return lines.length === 0 ? '[]\n' : `[\n${lines.join(',\n')}\n]\n`;
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
