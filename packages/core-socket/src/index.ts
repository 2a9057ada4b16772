/** @packageDocumentation @experimental */

export { CoreSocket, type CoreSocketOptions, type CoreSocketStatus } from './core-socket.js';
export { protocolVersion } from './protocol/layout.js';
export { SocketAddressError } from './socket-address.js';
