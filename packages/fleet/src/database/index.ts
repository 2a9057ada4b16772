export { Database, type DatabaseOptions, usualConnections } from './database.js';
export { DatabaseAway, DatabaseRefused } from './database-errors.js';
export { BadDatabaseUrl } from './database-url.js';
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
export { FollowedFleet } from './desired/followed-fleet.js';
export { owners } from './desired/owners.js';
export { type ListedScanner, ScannersRunAlone } from './desired/replace-scanners.js';
export { shardOf } from './desired/shard-of.js';
export type { DatabaseStorage } from './documents/database-storage.js';
export { DatabaseStore, type DatabaseStoreOptions } from './documents/database-store.js';
export { leaseOfScanner, NotTheOwner } from './documents/fence.js';
export { checkKeys, checkKeysAtStart, KeyMismatch } from './documents/key-check.js';
export { reseal } from './documents/reseal.js';
export { resetCredentials } from './documents/reset-credentials.js';
export { SealBroken } from './documents/sealing.js';
export {
  History,
  type HistoryName,
  type HistoryPart,
  type HistoryRow,
  readHistory,
  removeOldHistory,
} from './history/history.js';
export { fairShares, type Spread, shardsToMove, spreadNow, totalCapacity } from './leases/fair-share.js';
export { limitsOfLeases, limitsOfSaves } from './leases/lease-limits.js';
export { shardsChannel } from './leases/lease-statements.js';
export {
  type Lease,
  Leases,
  type Renewed,
  ScannerInUse,
  type Worker,
} from './leases/leases.js';
export { othersAt } from './leases/same-url.js';
export { OutageLog } from './outage-log.js';
export { checkSchema, migrate, SchemaMismatch } from './schema/migrate.js';
export { type Migration, migrations } from './schema/migrations.js';
