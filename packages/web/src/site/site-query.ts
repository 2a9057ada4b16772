import { longestSearch, type SiteList, type SiteSeverity, siteListPath } from '@azimuth/http/site';
import { askServer } from './ask-server.js';
import { siteListIn } from './site-answer.js';

/** Which scanners of the site are wanted. */
export interface SiteQuery {
  /** Words that a scanner has in its name, group, location, serial number, address, firmware, state or trouble. */
  readonly q?: string;
  /** Their paths. */
  readonly path?: readonly string[];
  /** Empty for those that are in no group. */
  readonly group?: string | undefined;
  readonly severity?: SiteSeverity | undefined;
  /** The name of a column. */
  readonly sort?: string;
  readonly order?: 'asc' | 'desc';
  /** Index of the first one. */
  readonly from?: number;
  readonly limit?: number;
}

/** The query as a part of an address. */
export function queryText({ path = [], q = '', ...others }: SiteQuery): string {
  const parameters = new URLSearchParams(path.map((one) => ['path', one]));
  if (q.trim() !== '') parameters.set('q', q.trim().slice(0, longestSearch));
  for (const [name, value] of Object.entries(others)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.toString();
}

/**
 * Asks the server of the page for scanners.
 * @throws SiteFault if it does not answer as expected; the reason of the signal if it is aborted
 */
export function askSite(query: SiteQuery, aborted: AbortSignal): Promise<SiteList> {
  return askServer(`${siteListPath.slice(1)}?${queryText(query)}`, siteListIn, aborted);
}
