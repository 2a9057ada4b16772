export { DatabaseRoutes } from './database-routes.js';
export type { ReadFleet } from './desired-units.js';
export { LoneStorage, type LoneStorageOptions } from './lone-storage.js';
export { Worker, type WorkerOptions } from './worker.js';
