/** @packageDocumentation @internal */

export type {
  Address,
  OtherScanner,
  Received,
  Receiver,
  ReceiverLosses,
  ReceiverOptions,
} from './receiver.js';
export { ReceiveError } from './receiver.js';
export { receiveTcp, receiveUdp, type TcpOptions, type UdpOptions } from './sockets.js';
