/** @packageDocumentation @internal */

export { type DecodedRecord, largestRecording, type PlayedRecording, ReplayError } from './recording.js';
export { ReplayCore, type ReplayOptions } from './replay-core.js';
