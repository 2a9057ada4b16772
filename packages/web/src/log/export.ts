import type { LoggedChange } from '../connection/event-log.js';
import { csvCell } from '../parts/csv-cell.js';

/** A table with a line for each change: time (ISO 8601, UTC), name, value as JSON. Commas and quotes as in RFC 4180. */
export function csvOf(changes: readonly LoggedChange[]): string {
  const lines = changes.map(({ at, name, json }) => [timeOf(at), name, json].map(csvCell).join(','));
  return ['time,name,value', ...lines, ''].join('\r\n');
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
