export { ReplayError } from './recorded-turns.js';
export { ReplayCore, type ReplayOptions } from './replay-core.js';
