import type { LogEntry } from '../log/log-entry.js';
import { type EntrySeverity, severities, severityOf } from './entry-severity.js';

/** True for all kinds of entries. The type makes sure that none is missing. */
const everyKind: Readonly<Record<LogEntry['kind'], true>> = {
  condition: true,
  parameter: true,
  value: true,
  happening: true,
  command: true,
  monitor: true,
};

/** The kinds of entries of the log. */
export const entryKinds: readonly LogEntry['kind'][] = Object.keys(everyKind).filter(isEntryKind);

export function isEntryKind(name: string): name is LogEntry['kind'] {
  return Object.hasOwn(everyKind, name);
}

/** Which entries an output gets. All members that are given have to match. */
export interface EntryFilter {
  /** The least severity. */
  readonly severity?: EntrySeverity | undefined;
  readonly kinds?: readonly LogEntry['kind'][] | undefined;
  /** Kinds of conditions, by their identifiers. Other entries than conditions pass. */
  readonly conditions?: readonly string[] | undefined;
  /** True for the names of scanners whose entries are wanted. Entries about the monitor itself pass. */
  readonly scanner?: ((name: string) => boolean) | undefined;
}

/** True if an output with this filter gets the entry. */
export function passes({ severity, kinds, conditions, scanner }: EntryFilter, entry: LogEntry): boolean {
  if (severity !== undefined && severities.indexOf(severityOf(entry)) < severities.indexOf(severity))
    return false;
  if (kinds !== undefined && !kinds.includes(entry.kind)) return false;
  if (conditions !== undefined && entry.kind === 'condition' && !conditions.includes(entry.condition))
    return false;
  return scanner === undefined || entry.scanner === '' || scanner(entry.scanner);
}
