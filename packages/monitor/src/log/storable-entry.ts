import { randomUUID } from 'node:crypto';
import type { LogEntry } from './log-entry.js';

/** Bounds of one entry, so that a hostile scanner cannot fill the disk with one value. */
const longestText = 4096;
const longestValue = 65_536;
const deepestValue = 32;
const mostPaths = 200;
const longestPath = 256;
/** The year 9999 ends. Later times have no ISO form of 24 characters. */
const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** An entry as a store takes it: with an id, and within all bounds. */
export type StorableEntry = LogEntry & { readonly id: string };

/** Returns an entry that every store can keep: texts and values have a bounded length, and no half characters. */
export function storableEntry(entry: LogEntry): StorableEntry {
  const common = {
    id: entry.id ?? randomUUID(),
    at: moment(entry.at),
    scanner: text(entry.scanner),
    ...(entry.serial === undefined ? {} : { serial: text(entry.serial) }),
  };
  switch (entry.kind) {
    case 'condition':
      return {
        ...entry,
        ...common,
        condition: text(entry.condition),
        part: text(entry.part),
        text: text(entry.text),
        since: moment(entry.since),
      };
    case 'parameter':
      return { ...entry, ...common, parameter: text(entry.parameter), ...values(entry) };
    case 'value':
      return { ...entry, ...common, name: text(entry.name), ...values(entry) };
    case 'command': {
      const wrote = entry.wrote.slice(0, mostPaths).map((path) => text(path, longestPath));
      const { by, command } = entry.author;
      const author = { by: text(by, longestPath), command: text(command, longestPath) };
      const url = entry.url === undefined ? {} : { url: text(entry.url) };
      return { ...entry, ...common, ...url, author, wrote };
    }
    default:
      return { ...entry, ...common, text: text(entry.text) };
  }
}

function values({ before, after }: { readonly before: unknown; readonly after: unknown }) {
  return { before: storableValue(before), after: storableValue(after) };
}

/** Returns JSON within the bounds, or a text that says why the value is not there. */
function storableValue(value: unknown): unknown {
  if (value === undefined) return undefined;
  const clean = cleaned(value, deepestValue);
  if (clean === tooDeep) return '(nested too deeply for the log)';
  const { length } = JSON.stringify(clean) ?? '';
  return length <= longestValue ? clean : `(${length} characters of JSON: too long for the log)`;
}

const tooDeep = Symbol('too deep');

/** Copies JSON, with {@link text} for each of its texts and names; `tooDeep` if any part of it is. */
function cleaned(value: unknown, levels: number): unknown {
  if (typeof value === 'string') return wellFormed(value);
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return tooDeep;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => cleaned(item, levels - 1));
    return items.includes(tooDeep) ? tooDeep : items;
  }
  const members = Object.entries(value).map(
    ([name, member]) => [wellFormed(name), cleaned(member, levels - 1)] as const,
  );
  return members.some(([, member]) => member === tooDeep) ? tooDeep : Object.fromEntries(members);
}

/** Returns a time that has an ISO form. */
function moment(time: number): number {
  return Number.isFinite(time) ? Math.min(lastMoment, Math.max(0, Math.round(time))) : 0;
}

function text(value: string, longest = longestText): string {
  const cut = value.length <= longest ? value : `${value.slice(0, longest - 1)}…`;
  return wellFormed(cut);
}

/** Half characters and zeros become replacement characters: PostgreSQL keeps neither. */
function wellFormed(value: string): string {
  return value.replaceAll(/[\p{Cs}\0]/gu, '\uFFFD');
}
