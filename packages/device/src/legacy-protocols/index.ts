/** @packageDocumentation @internal */

export { passesInterval } from '../data-reduction/output-segments.js';
export { strengthStep } from '../scan/scan.js';
export type { LegacyAccess } from './legacy-interfaces.js';
export type { LegacyName } from './legacy-name.js';
export { legacyNames } from './legacy-name-table.js';
export { LegacyNames, type Named, type ValueShape } from './legacy-names.js';
export { type LegacyBeams, legacyBeams, legacyBeamsFollow } from './output-range.js';
export {
  loginRequest,
  loginResponse,
  type SessionMethodName,
  sessionMethods,
} from './session-methods.js';
