/** @packageDocumentation @internal */

export { type LegacyAddress, legacyAddress, legacyPorts, legacyUrl } from './legacy-address.js';
export { type LegacyOptions, LegacyScanner } from './legacy-scanner.js';
export type { LegacyEvents, LegacyStreamOptions } from './legacy-stream.js';
export { LegacyError } from './request.js';
