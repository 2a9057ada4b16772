import type { ServerResponse } from 'node:http';
import { respondJson, respondText } from '../responses.js';
import type { SiteCurve, SiteCurvePoints } from './site-history.js';
import { BadSiteQuery, longestSearch, type SiteKnowledge, siteListOf, siteListPath } from './site-list.js';
import { mostEntries, type SiteLog, type SiteLogQuery, siteLogSeverities } from './site-log.js';
import type { SiteScanner } from './site-scanner.js';

/** Entries of an answer whose query has no limit. */
const usualEntries = 100;

/** The scanners of one page or port, and what is known of them. */
export interface Site {
  /** A row for each scanner, as far as it is known now. */
  rows(): Promise<readonly SiteScanner[]>;
  /** Undefined if no history is kept. */
  readonly history?: SiteHistory | undefined;
  /** Undefined if there is no log. */
  readonly log?: ((query: SiteLogQuery) => Promise<SiteLog>) | undefined;
}

/** The history of the scanners of a site. */
export interface SiteHistory {
  /** The curves that a scanner has. @param path of the scanner */
  curves(path: string): Promise<readonly SiteCurve[]>;
  /** Undefined if the scanner has no such curve. @param since ms since 1970; everything that is known by default */
  points(path: string, curve: string, since?: number): Promise<SiteCurvePoints | undefined>;
}

/** What was asked for is not there. The message is one line for people. */
class NotHere extends Error {}

/** Something else does not answer now. The message is one line for people. */
export class SiteUnavailable extends Error {}

type Answer = (site: Site, query: URLSearchParams) => Promise<unknown>;

const answers: Readonly<Record<string, Answer>> = {
  [siteListPath]: async (site, query) => siteListOf(await site.rows(), query, knowledgeOf(site)),
  [`${siteListPath}/history`]: historyOf,
  [`${siteListPath}/log`]: logOf,
};

/** Paths of requests for a site. */
export const sitePaths: readonly string[] = Object.keys(answers);

/** An answer to a request for a site: JSON, or one line for people that says why there is none. */
export type SiteAnswer =
  | { readonly status: 200; readonly json: unknown }
  | { readonly status: 400 | 404 | 503; readonly text: string };

/** Answers a request for a site. @param url its path, one of {@link sitePaths}, with its query */
export async function siteAnswer(site: Site, url: string): Promise<SiteAnswer> {
  const [path = ''] = url.split('?', 1);
  const query = new URLSearchParams(url.slice(path.length));
  try {
    const answer = Object.hasOwn(answers, path) ? answers[path] : undefined;
    if (answer === undefined) throw new NotHere(`expected one of ${sitePaths.join(', ')}`);
    return { status: 200, json: await answer(site, query) };
  } catch (error) {
    if (error instanceof BadSiteQuery) return { status: 400, text: error.message };
    if (error instanceof NotHere) return { status: 404, text: error.message };
    if (error instanceof SiteUnavailable) return { status: 503, text: error.message };
    throw error;
  }
}

/** Sends an answer. No cache keeps it: the next one is another. */
export function respondSite(response: ServerResponse, answer: SiteAnswer): void {
  response.setHeader('Cache-Control', 'no-store');
  if (answer.status === 200) respondJson(response, 200, answer.json);
  else respondText(response, answer.status, answer.text);
}

export function knowledgeOf({ history, log }: Site): SiteKnowledge {
  return { history: history !== undefined, log: log !== undefined };
}

async function historyOf(site: Site, query: URLSearchParams): Promise<unknown> {
  const { history } = site;
  if (history === undefined) throw new NotHere('no history is kept here');
  const path = query.get('scanner');
  if (path === null) throw new BadSiteQuery('scanner: expected the path of a scanner');
  await requireScanner(site, path);
  const value = query.get('value');
  const since = timeIn(query, 'since');
  const values = await history.curves(path);
  if (value === null) return { values };
  const points = values.some(({ name }) => name === value)
    ? await history.points(path, value, since)
    : undefined;
  if (points !== undefined) return points;
  const known = values.map(({ name }) => name).join(', ') || 'none';
  throw new NotHere(`value: expected one of ${known}, got "${value.slice(0, 100)}"`);
}

async function logOf(site: Site, query: URLSearchParams): Promise<unknown> {
  if (site.log === undefined) throw new NotHere('there is no log here');
  const scanner = query.get('scanner') ?? undefined;
  const severity = siteLogSeverities.find((one) => one === query.get('severity'));
  if (severity === undefined && query.has('severity'))
    throw new BadSiteQuery(
      `severity: expected one of ${siteLogSeverities.join(', ')}, got "${query.get('severity')}"`,
    );
  const q = query.get('q') ?? '';
  if (q.length > longestSearch)
    throw new BadSiteQuery(`q: expected at most ${longestSearch} characters, got ${q.length}`);
  const limit = Math.min(numberIn(query, 'limit') ?? usualEntries, mostEntries);
  const before = timeIn(query, 'before');
  if (scanner !== undefined) await requireScanner(site, scanner);
  const words = [...new Set(q.toLowerCase().split(/\s+/).filter(Boolean))];
  return site.log({ scanner, words, severity, before, limit });
}

async function requireScanner(site: Site, path: string): Promise<void> {
  const rows = await site.rows();
  if (!rows.some((row) => row.path === path))
    throw new NotHere(`scanner: expected the path of a scanner of the list, got "${path.slice(0, 100)}"`);
}

/** A time in ms since 1970-01-01 UTC. */
function timeIn(query: URLSearchParams, name: string): number | undefined {
  return numberIn(query, name, /^\d{1,15}$/);
}

function numberIn(query: URLSearchParams, name: string, form = /^\d{1,9}$/): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!form.test(text))
    throw new BadSiteQuery(`${name}: expected a whole number, got "${text.slice(0, 100)}"`);
  return Number(text);
}
