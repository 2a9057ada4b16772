/** @packageDocumentation @internal */

export type * from './interfaces/faults.js';
export type { BootFault } from './lifecycle/lifecycle.js';
