/** @packageDocumentation @experimental */

export { doubledPause } from './back-off.js';
export { concurrently } from './concurrently.js';
export { Mutex } from './mutex.js';
export { InterruptiblePause, type PauseOptions, pause } from './pause.js';
export { type After, atMost, inTime } from './time-limit.js';
