/** @packageDocumentation @internal */

export { LogWith } from './interfaces/environment.js';
export { errorMessage, UnexpectedErrors, type Where } from './lifecycle/unexpected-errors.js';
export { RecentLog } from './recent-log.js';
export { stderrLog } from './stderr-log.js';
export { Tally } from './tally.js';
