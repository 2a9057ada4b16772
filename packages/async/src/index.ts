/** @packageDocumentation @internal */

export { concurrently, Mutex } from './concurrency.js';
export {
  type After,
  atMost,
  bySystem,
  doubledPause,
  InterruptiblePause,
  inTime,
  type PauseOptions,
  pause,
} from './waiting.js';
