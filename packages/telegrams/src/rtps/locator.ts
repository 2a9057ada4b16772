import type { ByteCursor } from './byte-cursor.js';

/** Where a participant can be reached over UDP and IPv4. */
export interface Locator {
  /** Four numbers with dots. */
  readonly address: string;
  /** 1 to 65535. */
  readonly port: number;
}

/** The kind of UDP over IPv4. */
const udpV4 = 1;
export const locatorBytes = 24;

/**
 * | offset | type | what |
 * |---|---|---|
 * | 0 | i32 | kind: 1 is UDP over IPv4 |
 * | 4 | u32 | port |
 * | 8 | 16 bytes | address; of IPv4 the last four |
 */
export function bytesOfLocator({ address, port }: Locator): Uint8Array {
  const bytes = new Uint8Array(locatorBytes);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, udpV4, true);
  view.setUint32(4, port, true);
  bytes.set(address.split('.').map(Number), 20);
  return bytes;
}

/**
 * Reads a locator; undefined if it is of another kind (such as shared memory) or has no port.
 * @throws TelegramError if it is cut off
 */
export function readLocator(cursor: ByteCursor): Locator | undefined {
  const kind = cursor.i32();
  const port = cursor.u32();
  const address = cursor.take(16);
  if (kind !== udpV4 || port < 1 || port > 65_535) return undefined;
  return { address: address.subarray(12).join('.'), port };
}
