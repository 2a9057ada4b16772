import { counted } from '@azimuth/model';
import { printable } from '@azimuth/wording';
import type { LogEntry } from '../../log/log-entry.js';
import { entryLine } from '../entry-text.js';

/** Entries that are shown in one mail. The log has the others. */
const mostShown = 200;

/** Longest subject, in characters. */
const longestSubject = 150;

/** The entries of one mail. */
export interface MailContent {
  readonly entries: readonly LogEntry[];
}

/** Returns the subject of a mail: what the only entry says, or how many there are and of which scanners. */
export function mailSubject({ entries }: MailContent): string {
  const [first, ...others] = entries;
  if (first === undefined) return 'azimuth monitor';
  if (others.length === 0) return shortened(entryLine(first));
  const scanners = [...new Set(entries.map(({ scanner }) => scanner).filter((name) => name !== ''))];
  const named = scanners.slice(0, 3).join(', ');
  const more = scanners.length > 3 ? ` and ${scanners.length - 3} more` : '';
  return shortened(printable(`${counted(entries.length, 'entry', 'entries')}: ${named}${more}`));
}

function shortened(text: string): string {
  return text.length <= longestSubject ? text : `${text.slice(0, longestSubject - 1)}…`;
}

/** Returns the text of a mail: a line for each entry, with its time in UTC. */
export function mailText({ entries }: MailContent): string {
  const lines = entries
    .slice(0, mostShown)
    .map((entry) => `${new Date(entry.at).toISOString().replace(/\.\d+Z$/, 'Z')}  ${entryLine(entry)}`);
  const more = entries.length - lines.length;
  const last = more > 0 ? ['', `${counted(more, 'further entry', 'further entries')}: see the log.`] : [];
  return [...lines, ...last, '', '-- ', 'azimuth monitor', ''].join('\n');
}
