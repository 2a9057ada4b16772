/**
 * What needs sockets of Node: receivers of data streams, the device search and the legacy protocol.
 *
 * @packageDocumentation @stable
 */

export * from './discover/index.js';
export * from './legacy/index.js';
export * from './receive/index.js';
