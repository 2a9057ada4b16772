import type { Direction, TimelineEntry } from '@azimuth/bridge/timeline';

/** An entry that has a line of its own. */
export type Single = Exclude<TimelineEntry, { readonly kind: 'telegram' | 'request' | 'response' }>;

/** Longest text of a message or a telegram in a line. */
const longestText = 200;

/** Returns an entry of the timeline as a line for people. */
export function entryLine(entry: Single): string {
  switch (entry.kind) {
    case 'event':
      return `${entry.path} ${entry.connection}  ${arrow(entry.direction)}  ${textOf(entry.message)}`;
    case 'legacy':
      return `legacy ${entry.connection}  ${arrow(entry.direction)}  ${textOf(entry.bytes)}`;
    case 'opened':
      return `${entry.path ?? entry.protocol} ${entry.connection}  opened`;
    case 'closed':
      return `${entry.protocol} ${entry.connection}  closed by the ${closer(entry.direction)}`;
    case 'finding':
      return `finding  ${entry.of}: ${entry.where}: expected ${entry.expected}, not ${entry.came}`;
    case 'fault':
      return `fault  ${entry.fault} on ${entry.on}`;
  }
}

/** Returns an entry of the timeline as an object for JSON. */
export function entryJson(entry: Single): object {
  switch (entry.kind) {
    case 'event':
      return { ...entry, message: textOf(entry.message) };
    case 'legacy': {
      const { bytes, ...rest } = entry;
      return { ...rest, text: textOf(bytes) };
    }
    case 'opened':
    case 'closed':
    case 'finding':
    case 'fault':
      return entry;
  }
}

function arrow(direction: Direction): string {
  return direction === 'to scanner' ? '>' : '<';
}

function closer(direction: Direction): string {
  return direction === 'to scanner' ? 'program' : 'scanner';
}

function textOf(message: string | Uint8Array): string {
  const text =
    typeof message === 'string'
      ? message
      : Buffer.from(message.subarray(0, longestText + 1)).toString('latin1');
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}
