/** @packageDocumentation @internal */

export { largestRecording, ReplayError } from './recording.js';
export { ReplayCore, type ReplayOptions } from './replay-core.js';
