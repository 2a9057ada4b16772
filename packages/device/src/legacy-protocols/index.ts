export { passesInterval } from '../data-reduction/output-segments.js';
export { strengthStep } from '../scan/scan.js';
export type { LegacyAccess } from './legacy-interfaces.js';
export type { LegacyVariable } from './legacy-name.js';
export { legacyNames, legacyNamesOf } from './legacy-name-table.js';
export { LegacyNames, type Named, type Takes } from './legacy-names.js';
export { type LegacyBeams, legacyAhead, legacyBeams, legacyBeamsFollow } from './output-range.js';
