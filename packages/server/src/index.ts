export type { WebServerOptions } from './application/application.js';
export { type AllowedNames, hostName, webOrigin } from './http/cross-origin.js';
export type { LegacyPorts } from './legacy/legacy-interfaces.js';
export { PortTaken } from './network/listen.js';
export type { NetworkFacts, NetworkMode } from './network/listening-address.js';
export {
  type ControlFacts,
  type Ports,
  ScannerService,
  type ServiceFacts,
  type ServiceHost,
} from './scanner-service.js';
