import { connectedSocket } from '../receive/connected-socket.js';
import { type LegacyAddress, legacyUrl } from './legacy-address.js';
import { Link } from './link.js';

/**
 * Connects to a legacy interface, once.
 * @param timeoutMs for connecting, and later for each answer
 * @throws UnreachableError where nothing answers; what the signal aborts with
 */
export async function openLink(
  address: LegacyAddress,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Link> {
  const url = legacyUrl(address);
  const { host, port, framing } = address;
  const socket = await connectedSocket({ host, port, place: url, timeoutMs, signal });
  return new Link(socket, { url, framing, timeoutMs });
}
