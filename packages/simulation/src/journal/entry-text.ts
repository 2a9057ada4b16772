import type { JournalEntry } from './scanner-journal.js';

/** Returns an entry in one line, for people. */
export function textOfEntry(entry: JournalEntry): string {
  const head = `${entry.number} ${entry.kind}`;
  switch (entry.kind) {
    case 'legacy':
      return `${head} ${entry.telegram} ${entry.values ?? '…'}: ${entry.answer}`;
    case 'registration':
      return `${head} ${entry.action} ${entry.event} at ${entry.path}: ${entry.accepted ? 'accepted' : 'refused'}`;
    case 'file':
      return `${head} ${entry.verb} ${entry.name}: HTTP ${entry.httpStatus}`;
    default: {
      const value = entry.kind === 'write' ? ` ${JSON.stringify(entry.value)}` : '';
      const status = entry.status === undefined ? 'not answered' : `status ${entry.status}`;
      const detail = entry.detail === undefined ? '' : ` (${entry.detail})`;
      return `${head} ${entry.verb} ${entry.name}${value} by ${entry.level ?? 'nobody known'}: ${status}${detail}`;
    }
  }
}
