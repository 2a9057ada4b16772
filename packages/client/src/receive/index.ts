/** @packageDocumentation @stable */

export type { OtherScanner } from './own-telegrams.js';
export type { Address, Received, Receiver, ReceiverLosses, ReceiverOptions } from './receiver.js';
export { ReceiveError } from './receiver.js';
export { receiveTcp, type TcpOptions } from './tcp.js';
export { receiveUdp, type UdpOptions } from './udp.js';
