/** @packageDocumentation @internal */

export { type ControlOptions, openControl } from './control.js';
export type { Control, ControlPorts } from './open-ports.js';
export type { ScannerTarget } from './scanner-target.js';
