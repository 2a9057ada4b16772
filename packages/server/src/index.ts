export type { WebServerOptions } from './application/application.js';
export type { Requests } from './application/web-server.js';
export { hasLocalRights, isFromThisComputer, noteProxy, vouchFor } from './control/from-this-computer.js';
export {
  dataPolicy,
  headOfAnswer,
  headOfWebSocket,
  lastHead,
  NoAnswer,
} from './forwarding/forwarded-answers.js';
export {
  asksForServiceWorker,
  asksForWebSocket,
  noServiceWorker,
  refusalOfBrowser,
  requestHeaders,
} from './forwarding/forwarded-requests.js';
export { faultOfHead, HostAndOrigin, headOf, pathOf, refuseAndClose } from './http/admission.js';
export { Bodies, BodyRefused } from './http/bodies.js';
export { allowLong } from './http/broken-requests.js';
export { isUnwanted } from './http/connections.js';
export { type AllowedNames, CrossOrigin, hostName, webOrigin } from './http/cross-origin.js';
export { replyForbidden, replyJson, replyText, sendBytes } from './http/reply.js';
export { RequestsInOrder } from './http/requests-in-order.js';
export { turn } from './http/turns.js';
export { httpListener, httpsListener } from './http/web-listener.js';
export type { LegacyPorts } from './legacy/legacy-interfaces.js';
export { AddressShares } from './network/address-shares.js';
export { clientOf } from './network/client-address.js';
export { type HostAndPort, listen, PortTaken, urlOf } from './network/listen.js';
export type { NetworkMode, NetworkOptions } from './network/listening-address.js';
export type { OpenPort, OpenPorts } from './network/open-ports.js';
export { SharedConnections } from './network/shared-connections.js';
export { SharedConnectionLimit, SharedLimit, type SharedLimits } from './network/shared-limit.js';
export { isGuiPath, sendGui } from './pages/gui.js';
export { isOwnPage, sendOwnPage } from './pages/own-pages.js';
export { type Ports, ScannerService } from './scanner-service.js';
export type { ControlOptions, ServiceFaults, ServiceHost, ServiceOptions } from './service-options.js';
