/** @packageDocumentation @internal */

// A browser imports this, too: nothing of Node is here.
export type { SiteCurve } from './site-history.js';
export {
  BadSiteQuery,
  beginsWithLargest,
  longestSearch,
  mostListed,
  type SiteGroup,
  type SiteKnowledge,
  type SiteList,
  siteListOf,
  siteListPath,
  siteOrders,
} from './site-list.js';
export { mostEntries, type SiteLogEntry, type SiteLogSeverity, siteLogSeverities } from './site-log.js';
export { type SiteScanner, type SiteScans, type SiteSeverity, siteSeverities } from './site-scanner.js';
