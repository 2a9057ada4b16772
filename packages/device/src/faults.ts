/** @packageDocumentation @internal */

export type * from './interfaces/faults.js';
