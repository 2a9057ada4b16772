import {
  hasWords,
  type SiteLog,
  type SiteLogEntry,
  type SiteLogQuery,
  type SiteLogSeverity,
  SiteUnavailable,
} from '@azimuth/http';
import type { MonitorClock } from '../clock.js';
import type { LogEntry } from '../log/log-entry.js';
import type { LogStore } from '../log/log-store.js';
import { severityOf } from '../outputs/entry-severity.js';
import { entryText } from '../outputs/entry-text.js';
import { oneLine } from '../text/one-line.js';

const day = 86_400_000;

/** Time (ms) for which a long log is searched for rare entries. */
const patience = 4000;

/** Where a scanner stands in the list, by its name in the log. */
export type PlaceOf = (name: string) => { readonly path: string; readonly name: string } | undefined;

export interface SiteLogOptions {
  readonly store: Pick<LogStore, 'read'>;
  readonly clock: Pick<MonitorClock, 'now'>;
  readonly placeOf: PlaceOf;
}

/** The log was searched long enough. */
class Impatient extends Error {}

/**
 * Returns entries of a log, the newest first. It looks into longer and longer stretches of time, so that the newest
 * entries of a log of years are found at once. What a page begins with has whole milliseconds: the next one misses none.
 */
export async function siteLog(query: SiteLogQuery, options: SiteLogOptions): Promise<SiteLog> {
  const { store, clock, placeOf } = options;
  const { before = clock.now() + day, limit } = query;
  const end = clock.now() + patience;
  const wanted = (entry: LogEntry) => {
    if (clock.now() > end) throw new Impatient();
    return isWanted(entryOf(entry, placeOf), query);
  };
  const found: LogEntry[] = [];
  let until = before - 1;
  try {
    for (let length = 2 * day; until >= 0 && found.length <= limit; length *= 4) {
      const since = until - length;
      const part: LogEntry[] = [];
      for await (const entry of store.read({ since, until, entry: wanted, limit: limit + 1 }))
        part.push(entry);
      found.push(...part.toSorted((one, other) => other.at - one.at));
      until = since - 1;
    }
  } catch (error) {
    if (!(error instanceof Impatient))
      throw new SiteUnavailable(`the log cannot be read: ${error instanceof Error ? error.message : error}`);
    const entries = found.slice(0, limit).map((entry) => entryOf(entry, placeOf));
    return { entries, more: true, searchedSince: until + 1 };
  }
  const page = pageOf(found, limit);
  return { entries: page.map((entry) => entryOf(entry, placeOf)), more: found.length > page.length };
}

/** The first entries, without a part of those of one millisecond. */
function pageOf(found: readonly LogEntry[], limit: number): readonly LogEntry[] {
  const next = found[limit];
  if (next === undefined) return found;
  const whole = found.slice(0, limit).filter(({ at }) => at > next.at);
  return whole.length > 0 ? whole : found.slice(0, limit);
}

function isWanted(entry: SiteLogEntry, { scanner, words, severity }: SiteLogQuery): boolean {
  if (scanner !== undefined && entry.path !== scanner) return false;
  if (severity !== undefined && entry.severity !== severity) return false;
  return hasWords(entry, words);
}

function entryOf(entry: LogEntry, placeOf: PlaceOf): SiteLogEntry {
  const place = entry.scanner === '' ? undefined : placeOf(entry.scanner);
  const author = 'author' in entry ? entry.author : undefined;
  return {
    at: entry.at,
    path: place?.path ?? '',
    name: oneLine(place?.name ?? entry.scanner),
    severity: weightOf(entry),
    kind: entry.kind,
    text: oneLine(entryText(entry)),
    ...(author === undefined ? {} : { author: oneLine(`${author.by} (${author.command})`) }),
  };
}

/** The end of a condition is good news. */
function weightOf(entry: LogEntry): SiteLogSeverity {
  if (entry.kind === 'condition' && entry.change === 'ends') return 'info';
  const severity = severityOf(entry);
  return severity === 'error' || severity === 'warning' ? severity : 'info';
}
