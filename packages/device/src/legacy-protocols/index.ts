export { passesInterval } from '../data-reduction/output-segments.js';
export type { Customary, CustomaryAlias, CustomaryMethod, CustomaryVariable } from './customary.js';
export { customaryNames, customaryNamesOf } from './customary-names.js';
export { LegacyAccess } from './legacy-interfaces.js';
export { type LegacyBeams, legacyAhead, legacyBeams, legacyBeamsFollow } from './output-range.js';
