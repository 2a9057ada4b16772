/** @packageDocumentation @experimental */

export { type AllowedNames, PortTaken } from '@azimuth/http';
export type { WebServerOptions } from './application/application.js';
export type { LegacyPorts } from './legacy/legacy-interfaces.js';
export type { NetworkOptions } from './network/listening-address.js';
/** @stable */
export { guiFolder } from './pages/gui-folder.js';
export type { KeptService } from './scanner-service.js';
/** @stable */
export { type Ports, ScannerService } from './scanner-service.js';
/** @stable */
export type {
  ControlOptions,
  ServiceFaults,
  ServiceHardware,
  ServiceOptions,
  VehicleOptions,
} from './service-options.js';
export { notifySystemd, type Systemd, type SystemdOptions } from './systemd/notify.js';
