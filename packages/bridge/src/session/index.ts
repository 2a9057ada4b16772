/** @packageDocumentation @internal */

export { serveSession } from './serve-session.js';
export { readSession, type Session, SessionError } from './session.js';
export { SessionWriter } from './session-writer.js';
