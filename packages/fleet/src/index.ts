/** @packageDocumentation @experimental */

export { type DeploymentKeys, shortestKey } from './deployment-keys.js';
export type { EventContent, FleetEvent, LostEvents } from './events/fleet-event.js';
export { Fleet, type FleetOptions, type StateCounts } from './fleet.js';
export { Gateway, type GatewayOptions } from './gateway/gateway.js';
export { type KnownScanner, knownScanners, type Routes } from './gateway/routes.js';
export { type WorkerAddress, WorkerConnections } from './gateway/worker-connections.js';
export { moveScanners } from './placement/placement.js';
export { FleetPort, type WorkerRole } from './port/fleet-port.js';
export { GatewayKey } from './port/gateway-key.js';
export type { ScannerSummary } from './port/scanner-summary.js';
export type { ScannerFacts, ScannerPorts } from './scanners/scanner-facts.js';
export { type MacAddresses, macAddressesOf, matcherOf } from './scanners/scanner-facts.js';
export type { ScannerState } from './scanners/scanner-state.js';
export type { ScannerStore } from './scanners/scanner-store.js';
export { FleetStore, journalName, usedName } from './store/fleet-store.js';
export { ForeignJournal } from './store/journal.js';
export { headBytes } from './store/journal-bytes.js';
