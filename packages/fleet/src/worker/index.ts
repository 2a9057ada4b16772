export { DatabaseRoutes } from './database-routes.js';
export type { ReadFleet } from './desired-units.js';
export { Worker, type WorkerOptions } from './worker.js';
