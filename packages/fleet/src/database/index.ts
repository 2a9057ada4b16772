export { Database, type DatabaseOptions, usualConnections } from './database.js';
export { DatabaseAway, DatabaseRefused } from './database-errors.js';
export { BadDatabaseUrl } from './database-url.js';
export {
  type Applied,
  type AppliedFleet,
  applyFleet,
  type DesiredFleet,
  desiredFleet,
  fleetChannel,
  fleetVersion,
  type ShardScanner,
  scannersOf,
} from './desired/desired-fleet.js';
export { type Owner, ownerOf, owners } from './desired/owners.js';
export { type ListedScanner, type Replaced, ScannersRunAlone } from './desired/replace-scanners.js';
export { shardOf } from './desired/shard-of.js';
export { DatabaseStore, type DatabaseStoreOptions } from './documents/database-store.js';
export { NotTheOwner } from './documents/fence.js';
export { type Resealed, reseal } from './documents/reseal.js';
export { SealBroken } from './documents/sealing.js';
export {
  History,
  type HistoryName,
  type HistoryOptions,
  type HistoryPart,
  type HistoryRow,
  readHistory,
  removeOldHistory,
} from './history/history.js';
export { fairShare, type Spread, shardsToMove } from './leases/fair-share.js';
export { limitsOfLeases, limitsOfSaves } from './leases/lease-limits.js';
export { shardsChannel } from './leases/lease-statements.js';
export {
  type Lease,
  Leases,
  type LeasesOptions,
  type Renewed,
  ScannerInUse,
  type Worker,
} from './leases/leases.js';
export { checkSchema, type Migrated, migrate, SchemaMismatch } from './schema/migrate.js';
