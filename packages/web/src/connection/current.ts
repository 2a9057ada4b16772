import type { SiteList, SiteScanner } from '@azimuth/http/site';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { followAddress, linkToScanner, route, scannerInRoute } from '../parts/route.js';
import { isScannerPath, SiteFault } from '../site/site-answer.js';
import { SiteFeed } from '../site/site-feed.js';
import { askSite, type SiteQuery } from '../site/site-query.js';
import { Gateway } from './gateway.js';
import { ScannerLink } from './scanner-link.js';
import { ScannerPool } from './scanner-pool.js';

/** The scanner that serves this page, without a slash at its end. A proxy may serve it under a path. */
const ownUrl = () => new URL('.', location.href).href.replace(/\/$/, '');

/** In the address of a page that follows its scanner to a new address. */
const movedMark = 'moved';

/** What is known of all scanners of the page. */
export type SiteFacts = Pick<SiteList, 'total' | 'severities' | 'history' | 'log'>;

const own: Signal<ScannerLink | undefined> = signal(undefined);
const isSite = signal(false);
const facts: Signal<SiteFacts | undefined> = signal(undefined);
/** The path of the scanner that is shown if the address names none. */
const first: Signal<string | undefined> = signal(undefined);

/** The paths of scanners begin so at the local server of `azimuth gui`. */
const localPaths = '/s/';

const pool = new ScannerPool((path) => {
  const url = urlAt(path);
  // A fleet cannot receive datagrams for its pages. Its paths are others.
  const gateway = path.startsWith(localPaths) ? new Gateway(url) : undefined;
  return new ScannerLink(url, { gateway, isOneOfSeveral: true });
});

/**
 * Finds the scanners of this page: those of a server of several, which says so in the address, or the one that serves
 * the page. Called once, before anything is shown.
 */
export async function findScanners(): Promise<void> {
  followAddress();
  const query = new URLSearchParams(location.search);
  if (query.has('scanners')) {
    isSite.value = true;
    await learnFirst();
    return;
  }
  const link = new ScannerLink(ownUrl());
  if (query.has(movedMark)) {
    // Not again after a reload.
    history.replaceState(history.state, '', `${ownUrl()}/${location.hash}`);
    link.addressMove.arrived(ownUrl());
  }
  own.value = link;
}

/** The page is shown even if the server does not answer now: the list says so, and asks again. */
async function learnFirst(): Promise<void> {
  try {
    learn(await askSite({ limit: 1, sort: 'name' }, new AbortController().signal));
  } catch (error) {
    if (!(error instanceof SiteFault)) throw error;
  }
}

/** Takes over what a list says about all scanners, and about those that the page has to do with. */
function learn(list: SiteList): void {
  const { total, severities, history, log, scanners } = list;
  facts.value = { total, severities, history, log };
  first.value ??= scanners[0]?.path;
  for (const row of scanners) pool.known(row.path)?.listed(row);
}

/**
 * Follows a part of the list of scanners.
 * @param query begins anew when it changes
 * @param every ms between two questions
 */
export function siteFeed(query: ReadonlySignal<SiteQuery>, every: number): SiteFeed {
  return new SiteFeed(query, every, learn);
}

/** Asks once for a part of the list of scanners. @throws SiteFault */
export async function siteRows(query: SiteQuery, aborted: AbortSignal): Promise<SiteList> {
  const list = await askSite(query, aborted);
  learn(list);
  return list;
}

/**
 * Returns the URL of the same page at the new address of the scanner. The URL marks that the page has followed the
 * scanner.
 */
export function pageAfterMove(to: string): string {
  return `${to}/?${movedMark}${location.hash}`;
}

/** What is known of all scanners of the page; undefined if it is the page of one scanner, or if nothing is known yet. */
export const site: ReadonlySignal<SiteFacts | undefined> = facts;

/** True if the page has several scanners, so that each has to be chosen. */
export const isOfSeveral: ReadonlySignal<boolean> = computed(() => isSite.value && facts.value?.total !== 1);

/** The path of a scanner for an address that names none; undefined if there is none. */
export const firstPath: ReadonlySignal<string | undefined> = first;

/** The path of the open scanner: that in the address, or the only one. Undefined if none is open. */
export const openPath: ReadonlySignal<string | undefined> = computed(() => {
  const named = scannerInRoute.value;
  if (isScannerPath(named)) return named;
  return isOfSeveral.value ? undefined : first.value;
});

/** The scanner that the pages show; undefined on a page of several, as long as none is open. */
export const openScanner: ReadonlySignal<ScannerLink | undefined> = computed(() => {
  if (own.value !== undefined) return own.value;
  return openPath.value === undefined ? undefined : pool.at(openPath.value);
});

/** The scanner that the pages show. */
export function scanner(): ScannerLink {
  const link = openScanner.value;
  if (link === undefined) throw new Error('no scanner is open');
  return link;
}

/** One of several scanners. It is followed only between `followScanner` and its end. */
export function scannerAt({
  path,
  ...row
}: Pick<SiteScanner, 'path' | 'url' | 'name' | 'location'>): ScannerLink {
  const link = pool.at(path);
  link.listed(row);
  return link;
}

/** The path of one of several scanners; empty for the only one. */
export function pathOf(link: ScannerLink): string {
  return link.url.slice(ownUrl().length);
}

/** The URL at which the page reaches a scanner, by its path. */
export function urlAt(path: string): string {
  return ownUrl() + path;
}

/** Opens one of several scanners, on the page that is shown. */
export function choose(link: ScannerLink): void {
  location.hash = linkToScanner(pathOf(link), route.peek());
}

/** Follows one of several scanners until the returned function is called. */
export function followScanner(path: string): () => void {
  return pool.follow(path);
}

/** ms between two questions for the name of the open scanner, and for how many of all are in trouble. */
const openEvery = 10_000;

/** Follows the scanner that the pages show, until the returned function is called. */
export function followOpenScanner(): () => void {
  const link = own.peek();
  if (link !== undefined) {
    link.open();
    return () => link.close();
  }
  const path = openPath.peek();
  if (path === undefined) return () => undefined;
  const endFeed = siteFeed(signal({ path: [path] }), openEvery).open();
  const endScanner = pool.follow(path);
  return () => {
    endFeed();
    endScanner();
  };
}
