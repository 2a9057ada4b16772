/** @packageDocumentation @internal */

export type { CloudPoints, Point } from './cloud-points.js';
export { RecordedFile, type RecordedTopic } from './recorded-file.js';
export { isEcho, type RecordedScan, type ScanBeams, ScanDecoder } from './recorded-scan.js';
export type { RecordedRevolution } from './revolutions.js';
