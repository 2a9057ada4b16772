import type { LogEntry } from '../../log/log-entry.js';
import { severityOf } from '../entry-severity.js';
import { entryLine } from '../entry-text.js';

/**
 * Returns the body of a message: JSON with the entry, and two members for services that show texts.
 *
 * | member | content |
 * |---|---|
 * | `type` | `azimuth.` and the kind of the entry |
 * | `timestamp` | when it was noticed, in UTC |
 * | `text` | one line for people |
 * | `severity` | info, notice, warning or error |
 * | `data` | the entry, as in the log |
 */
export function webhookBody(entry: LogEntry): string {
  return JSON.stringify({
    type: `azimuth.${entry.kind}`,
    timestamp: new Date(entry.at).toISOString(),
    text: entryLine(entry),
    severity: severityOf(entry),
    data: entry,
  });
}
