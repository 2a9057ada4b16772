/** @packageDocumentation @internal */

export { SealBroken } from '../sealing.js';
export { BadDatabaseUrl, Database, type DatabaseOptions, defaultConnections, type Run } from './database.js';
export { DatabaseRefused, DatabaseUnavailable, OutageLog } from './database-errors.js';
export { DatabaseRoutes } from './desired/database-routes.js';
export {
  type AppliedFleet,
  applyFleet,
  type DesiredFleet,
  desiredFleet,
  fleetChannel,
  fleetVersion,
  type ShardScanner,
  scannersOf,
} from './desired/desired-fleet.js';
export type { DesiredScanner, DesiredScanners, ReadFleet } from './desired/desired-scanners.js';
export { FollowedFleet } from './desired/desired-scanners.js';
export { type ListedScanner, ScannersRunStandalone, shardOf } from './desired/replace-scanners.js';
export type { DatabaseStorage } from './documents/database-storage.js';
export { DatabaseStore, type DatabaseStoreOptions } from './documents/database-store.js';
export { leaseOfScanner, NotTheOwner } from './documents/fence.js';
export { checkKeys, checkKeysAtStart, KeyMismatch } from './documents/key-check.js';
export { reseal, resetCredentials } from './documents/secret-documents.js';
export {
  History,
  type HistoryName,
  type HistoryPart,
  type HistoryRow,
  readHistory,
  removeOldHistory,
} from './history/history.js';
export { shardsChannel } from './leases/lease-statements.js';
export {
  type Lease,
  Leases,
  limitsOfLeases,
  limitsOfSaves,
  type Renewed,
  ScannerInUse,
  type Worker,
} from './leases/leases.js';
export {
  type FleetLoad,
  fairShares,
  othersAt,
  owners,
  readFleetLoad,
  shardsToMove,
  totalCapacity,
} from './leases/living-workers.js';
export { checkSchema, migrate, migrations } from './schema/migrate.js';
export { type Grants, grantRightsIn } from './schema/roles.js';
export { applyMissing, checkTables, type Migration, type Schema, SchemaMismatch } from './schema/versions.js';
