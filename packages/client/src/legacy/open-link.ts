import { once } from 'node:events';
import { connect } from 'node:net';
import { UnreachableError } from '../errors.js';
import { type LegacyAddress, legacyUrl } from './legacy-address.js';
import { Link, reasonOf } from './link.js';

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
  signal?.throwIfAborted();
  const url = legacyUrl(address);
  const socket = connect({ host: address.host, port: address.port });
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    await once(socket, 'connect', {
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
  } catch (error) {
    socket.on('error', () => undefined).destroy();
    signal?.throwIfAborted();
    const reason = limit.aborted ? `no connection within ${timeoutMs / 1000} s` : reasonOf(error);
    throw new UnreachableError(url, reason, error);
  }
  return new Link(socket, { url, framing: address.framing, timeoutMs });
}
