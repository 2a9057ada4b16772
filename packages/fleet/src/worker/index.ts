/** @packageDocumentation @experimental */

export { LoneStorage, type LoneStorageOptions } from './lone-storage.js';
export { Worker, type WorkerOptions } from './worker.js';
export { placeOf } from './worker-place.js';
