/** @packageDocumentation @internal */

export { firstBeamOfSector } from './contamination-indication/sectors.js';
export { removeEchoes } from './filter/scan-filter.js';
export { atRest, isMeasuringCore } from './measuring/core-source.js';
export type { Measuring } from './measuring/measuring.js';
export type { MeasuringState } from './measuring/measuring-state.js';
export { furthestDistance } from './measuring/scan-check.js';
export { vouchFor } from './measuring/vouched-scans.js';
export { beamInterval, radPerDegree, sameGeometry, weakestEcho } from './scan/scan.js';
