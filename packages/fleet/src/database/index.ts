export { Database, type DatabaseOptions } from './database.js';
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
  type ListedScanner,
  ScannersRunAlone,
  type ShardScanner,
  scannersOf,
} from './desired/desired-fleet.js';
export { type Owner, ownerOf, owners } from './desired/owners.js';
export { shardOf } from './desired/shard-of.js';
export { DatabaseStore, type DatabaseStoreOptions } from './documents/database-store.js';
export { NotTheOwner } from './documents/fence.js';
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
export {
  type Lease,
  Leases,
  type LeasesOptions,
  ScannerInUse,
  shardsChannel,
  type Worker,
} from './leases/leases.js';
export { checkSchema, type Migrated, migrate, SchemaMismatch } from './schema/migrate.js';
