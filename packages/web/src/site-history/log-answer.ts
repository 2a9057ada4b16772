import { mostEntries, type SiteLogEntry, siteLogSeverities } from '@azimuth/http/site';
import { isObject } from '@azimuth/model';
import { isScannerPath, SiteFault } from '../site/site-answer.js';

export interface LogPart {
  /** The newest first. */
  readonly entries: readonly SiteLogEntry[];
  /** True if there are older ones. */
  readonly more: boolean;
  /** Since when the log was searched, if not all of it was: ms since 1970 UTC. */
  readonly searchedSince: number | undefined;
}

/** Characters of a text that are shown. */
const longestText = 1000;

/** Reads a part of the log. @throws SiteFault */
export function logPartIn(json: unknown): LogPart {
  const { entries, more, searchedSince } = isObject(json) ? json : {};
  if (!Array.isArray(entries) || entries.length > mostEntries)
    throw new SiteFault(`entries: expected a list of at most ${mostEntries}`);
  return {
    entries: entries.map(entryIn),
    more: more === true,
    searchedSince: isTime(searchedSince) ? searchedSince : undefined,
  };
}

function entryIn(json: unknown, index: number): SiteLogEntry {
  const { at, path, name, severity, kind, text, author } = isObject(json) ? json : {};
  if (!isTime(at)) throw new SiteFault(`entries[${index}].at: expected a time in ms since 1970`);
  const known = siteLogSeverities.find((one) => one === severity);
  if (known === undefined)
    throw new SiteFault(`entries[${index}].severity: expected one of ${siteLogSeverities.join(', ')}`);
  return {
    ...{ at, severity: known },
    path: isScannerPath(path) ? path : '',
    name: textIn(name) ?? '',
    kind: textIn(kind) ?? '',
    text: textIn(text) ?? '',
    author: textIn(author),
  };
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(new Date(value).getTime());
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, longestText) : undefined;
}

/** Entries that are kept on a page at most. */
export const mostKept = 3000;

/**
 * Returns two parts of the log as one, the newest entry first. Parts overlap: what happened in one millisecond may be cut
 * between two of them.
 */
export function joined(
  one: readonly SiteLogEntry[],
  other: readonly SiteLogEntry[],
): readonly SiteLogEntry[] {
  const known = new Set(one.map(keyOf));
  return [...one, ...other.filter((entry) => !known.has(keyOf(entry)))]
    .sort((newer, older) => older.at - newer.at)
    .slice(0, mostKept);
}

/** Returns the log with its newest part, which was asked for again. What is older than a gap is left out. */
export function withNewest(known: LogPart | undefined, part: LogPart): LogPart {
  const [newest] = known?.entries ?? [];
  const oldest = part.entries.at(-1);
  const isGap = part.more && newest !== undefined && oldest !== undefined && oldest.at > newest.at;
  if (known === undefined || isGap) return part;
  // The newest part says nothing about what is older than the entries that are here.
  return { ...known, entries: joined(known.entries, part.entries) };
}

/** Returns the log with a part that is older. */
export function withOlder(known: LogPart | undefined, part: LogPart): LogPart {
  return { ...part, entries: joined(known?.entries ?? [], part.entries) };
}

/** Tells entries apart. */
export function keyOf({ at, path, name, kind, text }: SiteLogEntry): string {
  return [at, path, name, kind, text].join('\n');
}
