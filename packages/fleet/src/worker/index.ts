/** @packageDocumentation @internal */

export { socketIdOf } from './socket-id.js';
export { StandaloneStorage, type StandaloneStorageOptions } from './standalone-storage.js';
export { Worker, type WorkerOptions } from './worker.js';
