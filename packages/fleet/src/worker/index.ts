export { LoneStorage, type LoneStorageOptions } from './lone-storage.js';
export { Worker, type WorkerOptions } from './worker.js';
