/** @packageDocumentation @experimental */

export type {
  AdoptedClient,
  Adoption,
  AdoptionTimes,
  Look,
  RealTarget,
} from './adopted/adopted-client.js';
export { AllowedAddresses, ForbiddenAddress } from './adopted/allowed-addresses.js';
export {
  isReal,
  type MemberFacts,
  type RealCredentials,
  type RealScannerFacts,
  virtualOf,
} from './adopted/real-facts.js';
export { type DeploymentKeys, shortestKey } from './deployment-keys.js';
export type { EventContent, FleetEvent, LostEvents } from './events/fleet-event.js';
export type { RealState } from './events/real-states.js';
export { Fleet, type FleetMember, type FleetOptions, type StateCounts } from './fleet.js';
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
export { Sealing } from './sealing.js';
export { FleetStore, journalName, usedName } from './store/fleet-store.js';
export { ForeignJournal } from './store/journal.js';
export { headBytes } from './store/journal-bytes.js';
