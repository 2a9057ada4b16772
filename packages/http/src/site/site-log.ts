import type { SiteScanner } from './site-scanner.js';

/** Severities of entries of the log of a site. `info`: nothing is wrong, or it is over. */
export const siteLogSeverities = ['error', 'warning', 'info'] as const;

export type SiteLogSeverity = (typeof siteLogSeverities)[number];

/** Entries of one answer at most. */
export const mostEntries = 500;

/** Something that happened. */
export interface SiteLogEntry {
  /** Milliseconds since 1970-01-01 UTC. */
  readonly at: number;
  /** Of the scanner; empty if the entry is about none, or about one that is not in the list. */
  readonly path: SiteScanner['path'];
  /** Of the scanner; empty if the entry is about none. */
  readonly name: string;
  readonly severity: SiteLogSeverity;
  /** A word: `condition`, `parameter`, `happening` … */
  readonly kind: string;
  /** One line for people. */
  readonly text: string;
  /** Who did it: `anna@desk7 (set)`. */
  readonly author?: string | undefined;
}

/** A part of the log, as JSON at `/site/log`. */
export interface SiteLog {
  /** The newest first. */
  readonly entries: readonly SiteLogEntry[];
  /** True if there are older ones. */
  readonly more: boolean;
  /** Since when the log was searched, if it is so long that only a part of it was: ms since 1970-01-01 UTC. */
  readonly searchedSince?: number | undefined;
}

/** Which entries of the log are wanted. */
export interface SiteLogQuery {
  /** Path of the scanner; undefined for all scanners. */
  readonly scanner: SiteScanner['path'] | undefined;
  /** Words in lower case, all of which are in an entry. */
  readonly words: readonly string[];
  readonly severity: SiteLogSeverity | undefined;
  /** Entries before this time: ms since 1970-01-01 UTC. */
  readonly before: number | undefined;
  readonly limit: number;
}

/** True if the text of an entry has all words. */
export function hasWords({ name, kind, text, author = '' }: SiteLogEntry, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const searched = [name, kind, text, author].join('\n').toLowerCase();
  return words.every((word) => searched.includes(word));
}
