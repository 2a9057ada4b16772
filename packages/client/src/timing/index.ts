/** @packageDocumentation @internal */

export { type AskedScanner, TimingAnalysis, type TimingReport } from './analysis.js';
export { type CauseName, causes, type TimingFinding } from './findings.js';
export type { KnownTime } from './known-time.js';
export type { StreamMeasures } from './measures.js';
export type { Sample, Stream, Stretch } from './stream.js';
export { durationText, ms } from './words.js';
