/** @packageDocumentation @experimental */

/** @stable */
export { type FaultPlan, FaultPlanError } from '@azimuth/model/faults';
/** @stable */
export { FaultTimeline, type ListedFault } from './timeline.js';
