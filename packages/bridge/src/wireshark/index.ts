/** @packageDocumentation @internal */

export { defaultPorts, dissector, firstLine } from './dissector.js';
export { expertInfos } from './expert-infos.js';
export type { FilterField } from './filter-field.js';
export { filterFields } from './filter-fields.js';
export { filterPages } from './filter-table.js';
