import type { LogEntry } from '../log/log-entry.js';

/** Severities of entries, from the least to the greatest. */
export const severities = ['info', 'notice', 'warning', 'error'] as const;

export type EntrySeverity = (typeof severities)[number];

/**
 * Returns the severity of an entry. The end of a condition is as severe as its beginning: an output that has sent the one
 * has to send the other.
 */
export function severityOf(entry: LogEntry): EntrySeverity {
  switch (entry.kind) {
    case 'condition':
      return entry.severity;
    case 'parameter':
      return 'notice';
    case 'value':
      return 'info';
    case 'happening':
      return entry.what.endsWith('failed') ? 'warning' : 'notice';
    case 'command':
      return entry.outcome === 'failed' ? 'warning' : 'notice';
    default:
      return 'notice';
  }
}
