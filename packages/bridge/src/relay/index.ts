/** @packageDocumentation @internal */

export { type Follower, Relay, type RelayOptions } from './relay.js';
