/** @packageDocumentation @internal */

export {
  Admission,
  allowing,
  type Head,
  HostAndOrigin,
  pathOf,
  type RefusedRequest,
  refuseWithoutHint,
  valuesOf,
} from './admission.js';
export {
  Bodies,
  BodyBrokenOff,
  BodyRefused,
  isDeeper,
  type Payload,
  payloadOf,
  type ReadBody,
} from './bodies.js';
export { type Connection, RequestContext } from './connection.js';
export { betweenRequests, Connections } from './connections.js';
export { setPolicy } from './content-policy.js';
export { type AllowedNames, hostName, webOrigin } from './cors.js';
export { nextTurn } from './event-loop-turns.js';
export { forward, joinWebSocket } from './forwarding/forward.js';
export {
  framingOf,
  noServiceWorker,
  refusalOfBrowser,
  requestHeaders,
  requestsServiceWorker,
} from './forwarding/forwarded-requests.js';
export {
  type Content,
  dataPolicy,
  type ForwardedHead,
  headOfResponse,
  InvalidResponse,
  lastHead,
} from './forwarding/forwarded-responses.js';
export {
  type ForwardingOptions,
  forwardingFailure,
  ScannerForwarding,
} from './forwarding/scanner-forwarding.js';
export { ownHeadersOf } from './header-names.js';
export { HttpPort } from './http-port.js';
export {
  type ErrorReport,
  errorReport,
} from './interfaces.js';
export { endWith, refuseUpgrade } from './last-responses.js';
export { type ChosenTimeouts, defaultTimeouts, type Timeouts } from './limits.js';
export { type Certificate, secureContextOf } from './listener.js';
export { hasLocalRights, isFromThisComputer } from './loopback-clients.js';
export { AddressShares, clientOf } from './network/address-shares.js';
export { CableWatch, reset } from './network/cable-watch.js';
export type { OpenPort, OpenPorts } from './network/listen.js';
export { type HostAndPort, isEverywhere, listen, PortInUse, PortTaken, urlOf } from './network/listen.js';
export { RateLimit } from './network/rate-limit.js';
export { dropAfterViolation } from './network/refused-web-sockets.js';
export { SharedConnectionLimit, SharedLimit, type SharedLimits } from './network/shared-limit.js';
export { SharedPortCable } from './network/shared-port-cable.js';
export { type Closable, containErrors, ipv4Unresolved, tcpListener } from './network/sockets.js';
export {
  type CompressedFile,
  compressedFile,
  PromiseCache,
  sendCompressedFile,
} from './pages/compressed-file.js';
export { countedPath, isGuiPath, pagesOfSeveral, sendGui } from './pages/gui.js';
export { type DrainTimes, PortDrain } from './port-drain.js';
export {
  by,
  counted,
  counter,
  gauge,
  type Metric,
  memoryMetrics,
  processText,
  prometheusText,
  prometheusType,
  type Sample,
} from './prometheus-text.js';
export {
  asDeclared,
  closeUnanswered,
  encodeDetail,
  endInPieces,
  errorLineOf,
  failureBody,
  isClientClosed,
  JsonBody,
  type RefusalBody,
  refuse,
  respond,
  respondForbidden,
  respondJson,
  respondNotFound,
  respondText,
  sendBytes,
  setDetail,
} from './responses.js';
export {
  knowledgeOf,
  respondSite,
  type Site,
  type SiteAnswer,
  type SiteHistory,
  SiteUnavailable,
  siteAnswer,
  sitePaths,
} from './site/site-answer.js';
export type { SiteCurve, SiteCurvePoints } from './site/site-history.js';
export {
  BadSiteQuery,
  bySiteName,
  mostListed,
  type SiteCounts,
  type SiteGroup,
  type SiteKnowledge,
  type SiteList,
  type SiteOrder,
  type SiteQuery,
  searchedTexts,
  siteCountsOf,
  siteListOf,
  siteListPath,
  siteOrders,
  siteQueryOf,
} from './site/site-list.js';
export {
  hasWords,
  mostEntries,
  type SiteLog,
  type SiteLogEntry,
  type SiteLogQuery,
  type SiteLogSeverity,
  siteLogSeverities,
} from './site/site-log.js';
export { type SiteScanner, type SiteScans, type SiteSeverity, siteSeverities } from './site/site-scanner.js';
export { defaultCacheTime, TimedCache } from './timed-cache.js';
export { type KeptTraffic, Traffic } from './traffic.js';
