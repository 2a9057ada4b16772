import { type SiteScanner, type SiteSeverity, siteSeverities } from './site-scanner.js';

/** Path of the list of a site, below the address of the page. */
export const siteListPath = '/site';

/** Scanners of one answer at most. */
export const mostListed = 500;

/** Scanners of an answer whose query has no limit. */
const usuallyListed = 100;

/** Characters of `q` at most: each word is looked for in each scanner, or entry. */
export const longestSearch = 200;

/** A group, with its scanners counted. */
export interface SiteGroup {
  /** Empty for scanners that are in no group. */
  readonly name: string;
  readonly scanners: number;
  /** Those of severity `bad` or `warn`. */
  readonly trouble: number;
}

/** What else the server of a page knows of its scanners. */
export interface SiteKnowledge {
  /** True if `/site/history` has curves of values. */
  readonly history: boolean;
  /** True if `/site/log` has the log of events. */
  readonly log: boolean;
}

/** A part of the list of a site, as JSON at `/site`. */
export interface SiteList extends SiteKnowledge {
  /** Scanners of the site. */
  readonly total: number;
  /** Those that the query selects. */
  readonly matching: number;
  /** Index of the first listed scanner among the selected ones. */
  readonly from: number;
  /** Of all scanners, by severity. */
  readonly severities: Readonly<Record<SiteSeverity, number>>;
  /** Of all scanners, sorted by name. */
  readonly groups: readonly SiteGroup[];
  readonly scanners: readonly SiteScanner[];
}

/** A query for a list cannot be answered. The message says what was expected. */
export class BadSiteQuery extends Error {}

/**
 * Selects, sorts and cuts the list of a site.
 * @param query `q` (part of name, group, location, serial number, address, firmware, state or trouble, in any case),
 * `path` (exact; several are allowed), `group` (exact), `severity`, `sort` (a column; `trouble` by default), `order` (`asc` or `desc`), `from`, `limit`
 * @throws BadSiteQuery
 */
export function siteListOf(
  all: readonly SiteScanner[],
  query: URLSearchParams,
  knowledge: SiteKnowledge,
): SiteList {
  const { isSelected, order, from, limit } = siteQueryOf(query);
  const selected = all.filter(isSelected).sort((one, other) => order(one, other) || bySiteName(one, other));
  return {
    ...knowledge,
    ...{ matching: selected.length, from },
    ...siteCountsOf(all),
    scanners: selected.slice(from, from + limit),
  };
}

/** What a query asks for. Servers of very many scanners answer it in parts. */
export interface SiteQuery {
  readonly selection: SiteSelection;
  readonly isSelected: (one: SiteScanner) => boolean;
  /** True if its texts have the words of the selection, whatever else is selected. */
  readonly hasWords: (one: SiteScanner) => boolean;
  /** The column by which it sorts. */
  readonly sort: string;
  readonly direction: 'asc' | 'desc';
  /** For a stable sort of scanners that are in the order of {@link bySiteName}. */
  readonly order: SiteOrder;
  /** Index of the first scanner among the selected ones. */
  readonly from: number;
  /** Scanners at most. */
  readonly limit: number;
}

/** Scanners that a query selects. */
export interface SiteSelection {
  /** In lower case: each has to be a part of a text of the scanner. */
  readonly words: readonly string[];
  /** Empty for all. */
  readonly paths: ReadonlySet<string>;
  readonly group: string | undefined;
  readonly severity: SiteSeverity | undefined;
}

/** @param query as that of {@link siteListOf} @throws BadSiteQuery */
export function siteQueryOf(query: URLSearchParams): SiteQuery {
  const selection = selectionIn(query);
  const sort = query.get('sort') ?? 'trouble';
  const direction = directionIn(query);
  return {
    selection,
    isSelected: selectorOf(selection),
    hasWords: (one) => hasWords(one, selection.words),
    ...{ sort, direction },
    order: orderOf(sort, direction),
    from: wholeNumber(query, 'from') ?? 0,
    limit: Math.min(wholeNumber(query, 'limit') ?? usuallyListed, mostListed),
  };
}

/** What a list says of all scanners of the site. */
export type SiteCounts = Pick<SiteList, 'total' | 'severities' | 'groups'>;

export function siteCountsOf(all: readonly SiteScanner[]): SiteCounts {
  return { total: all.length, severities: severitiesOf(all), groups: groupsOf(all) };
}

/** @throws BadSiteQuery */
function selectionIn(query: URLSearchParams): SiteSelection {
  const q = query.get('q') ?? '';
  if (q.length > longestSearch)
    throw new BadSiteQuery(`q: expected at most ${longestSearch} characters, got ${q.length}`);
  const severity = siteSeverities.find((one) => one === query.get('severity'));
  if (severity === undefined && query.has('severity'))
    throw new BadSiteQuery(
      `severity: expected one of ${siteSeverities.join(', ')}, got "${query.get('severity')}"`,
    );
  return {
    words: [...new Set(q.toLowerCase().split(/\s+/).filter(Boolean))],
    paths: new Set(query.getAll('path')),
    group: query.get('group') ?? undefined,
    severity,
  };
}

function selectorOf({ words, paths, group, severity }: SiteSelection): (one: SiteScanner) => boolean {
  return (one) => {
    if (paths.size > 0 && !paths.has(one.path)) return false;
    if (group !== undefined && one.group !== group) return false;
    if (severity !== undefined && one.severity !== severity) return false;
    return hasWords(one, words);
  };
}

/** @param words in lower case: each has to be in a text of the scanner */
function hasWords(one: SiteScanner, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const texts = searchedTexts(one);
  return words.every((word) => texts.some((text) => text.includes(word)));
}

/** The texts of a scanner that words are looked for in, in lower case. A word has no blanks, so it is never in two of them. */
export function searchedTexts(one: SiteScanner): readonly string[] {
  const { name, group, location = '', serialNumber = '', url, firmware = '', state, trouble } = one;
  const lower = (text: string) => text.toLowerCase();
  const texts = [lower(serialNumber), lower(url), lower(group), lower(firmware), lower(state)];
  if (name !== serialNumber) texts.push(lower(name));
  if (location !== name) texts.push(lower(location));
  for (const one of trouble) texts.push(lower(one));
  return texts;
}

export type SiteOrder = (one: SiteScanner, other: SiteScanner) => number;

let collator: Intl.Collator | undefined;

/** Compares names. Tables of the language are loaded with the first list: a scanner alone needs none, and they take 2 MB. */
function compareNames(one: string, other: string): number {
  collator ??= new Intl.Collator('en', { numeric: true });
  return collator.compare(one, other);
}

/** The order of two scanners whose names are all that tells them apart: `Gate 2` is before `Gate 10`. */
export function bySiteName(one: { readonly name: string }, other: { readonly name: string }): number {
  return compareNames(one.name, other.name);
}

/** What a column sorts by. What is empty or undefined is not known. */
type SortKey = string | number | undefined;

const sortKeys: Readonly<Record<string, (one: SiteScanner) => SortKey>> = {
  trouble: ({ severity }) => siteSeverities.length - siteSeverities.indexOf(severity),
  name: ({ name }) => name,
  group: ({ group }) => group,
  location: ({ location }) => location,
  state: ({ state }) => state,
  firmware: ({ firmware }) => firmware,
  serialNumber: ({ serialNumber }) => serialNumber,
  unsaved: ({ unsaved }) => unsaved,
  drift: ({ drift }) => drift,
  clock: ({ clockOffset }) => clockOffset && Math.abs(clockOffset),
  certificate: ({ certificateUntil }) => certificateUntil,
  temperature: ({ temperature }) => temperature,
  data: ({ scans }) => scans?.rate,
};

/** The columns by which a list can be sorted. Each begins with what needs somebody most. */
export const siteOrders: readonly string[] = Object.keys(sortKeys);

const largestFirst: ReadonlySet<string> = new Set(['trouble', 'unsaved', 'drift', 'clock', 'temperature']);

/** True if a column begins with its largest value, unless its order is turned round. */
export function beginsWithLargest(column: string): boolean {
  return largestFirst.has(column);
}

/** @throws BadSiteQuery */
function directionIn(query: URLSearchParams): 'asc' | 'desc' {
  const direction = query.get('order') ?? 'asc';
  if (direction === 'asc' || direction === 'desc') return direction;
  throw new BadSiteQuery(`order: expected asc or desc, got "${direction}"`);
}

/** @throws BadSiteQuery */
function orderOf(sort: string, direction: 'asc' | 'desc'): SiteOrder {
  const keyOf = sortKeys[sort];
  if (keyOf === undefined || !Object.hasOwn(sortKeys, sort))
    throw new BadSiteQuery(`sort: expected one of ${siteOrders.join(', ')}, got "${sort}"`);
  const sign = (direction === 'asc') === beginsWithLargest(sort) ? -1 : 1;
  return (one, other) => {
    const [key, otherKey] = [keyOf(one), keyOf(other)];
    // What is not known stands last, whichever way the order is turned.
    if (isKnown(key) !== isKnown(otherKey)) return isKnown(key) ? -1 : 1;
    return sign * compared(key, otherKey);
  };
}

function isKnown(key: SortKey): boolean {
  return key !== undefined && key !== '';
}

function compared(key: SortKey, other: SortKey): number {
  if (typeof key === 'number' && typeof other === 'number') return key - other;
  return compareNames(String(key ?? ''), String(other ?? ''));
}

function severitiesOf(all: readonly SiteScanner[]): Readonly<Record<SiteSeverity, number>> {
  const counts = { bad: 0, warn: 0, idle: 0, good: 0 };
  for (const { severity } of all) counts[severity]++;
  return counts;
}

function groupsOf(all: readonly SiteScanner[]): readonly SiteGroup[] {
  const groups = new Map<string, { name: string; scanners: number; trouble: number }>();
  for (const { group, severity } of all) {
    const counts = groups.get(group) ?? { name: group, scanners: 0, trouble: 0 };
    counts.scanners++;
    if (severity === 'bad' || severity === 'warn') counts.trouble++;
    groups.set(group, counts);
  }
  return [...groups.values()].sort((one, other) => compareNames(one.name, other.name));
}

function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new BadSiteQuery(`${name}: expected a whole number, got "${text}"`);
  return Number(text);
}
