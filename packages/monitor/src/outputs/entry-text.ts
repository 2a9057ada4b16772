import { printable } from '@azimuth/wording';
import { conditionKinds } from '../conditions/all-conditions.js';
import type { ConditionEntry, LogEntry, ParameterEntry, ValueEntry } from '../log/log-entry.js';
import { valueText } from '../text/value-text.js';

/** Returns an entry as one line for people: `gate3: does not answer: connection refused`. */
export function entryLine(entry: LogEntry): string {
  const text = entryText(entry);
  return printable(entry.scanner === '' ? text : `${entry.scanner}: ${text}`);
}

/** Returns what an entry says, without the name of its scanner. Texts of a scanner are in it as they came. */
export function entryText(entry: LogEntry): string {
  switch (entry.kind) {
    case 'condition':
      return conditionText(entry);
    case 'parameter': {
      const author = entry.author === undefined ? '' : `, by ${entry.author.by} (${entry.author.command})`;
      return `${changeText(entry.parameter, entry)}${author}`;
    }
    case 'value':
      return changeText(entry.name, entry);
    case 'command': {
      const { author, wrote, outcome } = entry;
      return `${author.by} ran azimuth ${author.command}, which ${outcome === 'done' ? 'wrote' : 'failed to write'} ${wrote.join(', ')}`;
    }
    default:
      return entry.text;
  }
}

function conditionText({ change, condition, part, text, since, at }: ConditionEntry): string {
  const title = conditionTitle(condition);
  const begun = `${title}${part === '' ? '' : ` (${part})`}`;
  return change === 'begins' ? `${begun}: ${text}` : `Over after ${lengthText(at - since)}: ${begun}`;
}

/** Returns the title of a kind of condition: `Does not answer`. */
export function conditionTitle(id: string): string {
  return conditionKinds.find((kind) => kind.id === id)?.title ?? id;
}

function changeText(path: string, { before, after }: ParameterEntry | ValueEntry): string {
  return `${path} changed from ${valueText(path, before)} to ${valueText(path, after)}`;
}

/** Returns a length of time in its two largest units: `2 d 3 h`, `12 min`. */
function lengthText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor((seconds % 86_400) / 3600)];
  const minutes = Math.floor((seconds % 3600) / 60);
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min` : `${seconds} s`;
}
