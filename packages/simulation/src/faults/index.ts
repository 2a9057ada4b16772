/** @packageDocumentation @internal */

export { type FaultPlan, FaultPlanError } from '@azimuth/model/faults';
export { FaultTimeline, type ListedFault } from './timeline.js';
export { type AskedFaults, WireFaults } from './wire-faults.js';
