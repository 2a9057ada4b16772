export type { WebServerOptions } from './application/application.js';
export { type AllowedNames, hostName, webOrigin } from './http/cross-origin.js';
export type { LegacyPorts } from './legacy/legacy-interfaces.js';
export { PortTaken } from './network/listen.js';
export type { NetworkMode, NetworkOptions } from './network/listening-address.js';
export { isGuiPath, sendGui } from './pages/gui.js';
export {
  type ControlOptions,
  type Ports,
  ScannerService,
  type ServiceFaults,
  type ServiceHost,
  type ServiceOptions,
} from './scanner-service.js';
