export { ReplayCore, type ReplayOptions } from './replay-core.js';
export { ReplayError } from './replay-error.js';
