/** @packageDocumentation @internal */

export { type ForeignProtocol, SessionStartDetector } from './session-input.js';
