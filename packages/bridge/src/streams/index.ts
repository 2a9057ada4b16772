/** @packageDocumentation @internal */

export {
  type Destination,
  DestinationError,
  destinationForms,
  destinationIn,
} from './destination.js';
export { type Arrived, type Incoming, type UdpIncomingOptions, udpIncoming } from './incoming.js';
export { openOutgoing } from './open-outgoing.js';
export { OpenError, type Outgoing } from './outgoing.js';
export { type StreamFigures, StreamRelay } from './stream-relay.js';
export { type LossReason, lossReasons, type Tallied } from './tally.js';
export { TcpIncoming } from './tcp-incoming.js';
