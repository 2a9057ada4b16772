// The library is a CommonJS module whose members Node does not find by name.
import protocol from '@foxglove/ws-protocol';

export const { FoxgloveServer, BinaryOpcode, ServerCapability, StatusLevel } = protocol;

/** Place of the number of the subscription in the data of a message (u32): behind the opcode. Its time (u64) follows. */
const subscriptionAt = 1;
const timeAt = subscriptionAt + 4;
const payloadAt = timeAt + 8;

/** Returns the data of a message, as the library makes it for all who have subscribed. @param time ns since 1970 */
export function messageData(subscription: number, time: bigint, payload: Uint8Array): Uint8Array {
  const message = new Uint8Array(payloadAt + payload.length);
  const view = new DataView(message.buffer);
  view.setUint8(0, BinaryOpcode.MESSAGE_DATA);
  view.setUint32(subscriptionAt, subscription, true);
  view.setBigUint64(timeAt, time, true);
  message.set(payload, payloadAt);
  return message;
}

/** Returns the number of the subscription whose data this is; undefined for other messages. */
export function subscriptionOf(message: Uint8Array): number | undefined {
  if (message[0] !== BinaryOpcode.MESSAGE_DATA || message.length < timeAt) return undefined;
  return new DataView(message.buffer, message.byteOffset).getUint32(subscriptionAt, true);
}

/**
 * The names of the protocol in the handshake, the newer one first. Both have the same messages as far as a server offers
 * no more than channels, parameters and the graph of connections.
 */
export const subprotocols: readonly string[] = ['foxglove.sdk.v1', FoxgloveServer.SUPPORTED_SUBPROTOCOL];

/**
 * Returns the first name of the protocol that a client offers and this server speaks; undefined if there is none.
 * @param header the header Sec-WebSocket-Protocol
 */
export function chosenSubprotocol(header: string | undefined): string | undefined {
  const offered = (header ?? '').split(',').map((name) => name.trim());
  return offered.find((name) => subprotocols.includes(name));
}
