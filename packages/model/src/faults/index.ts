/** @packageDocumentation @internal */

export {
  type FaultKind,
  faultGroups,
  faultKinds,
  isFaultKind,
  occasions,
  type PlannedFault,
  type WrittenFault,
} from './kinds.js';
export { expectationOf, type Member, type Members } from './member.js';
export {
  type CheckedPlan,
  checkedFault,
  checkedPlan,
  type FaultPlan,
  FaultPlanError,
  largestSeed,
  membersOf,
  mostFaults,
  planSchema,
} from './plan.js';
export { triggers } from './triggers.js';
export type { FaultDeclaration, Occasion } from './wire-kinds.js';
