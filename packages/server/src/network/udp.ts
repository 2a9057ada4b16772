import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import type { Clock } from '@azimuth/device';
import { ipv4Unresolved, RateLimit } from '@azimuth/http';
import { responsesPerAddress, responsesTogether } from './limits.js';

/** IPv4 addresses of hosts that TCP listeners may have. */
const known: Readonly<Record<string, string>> = {
  '::': '0.0.0.0',
  '::1': '127.0.0.1',
  localhost: '127.0.0.1',
};

/** Returns a host as an IPv4 address, because the protocols over UDP use IPv4 only. Other names stay as they are. */
export function asIPv4(host: string): string {
  return known[host] ?? host;
}

/**
 * Opens a UDP socket that listens. Network errors of datagrams that it has sent are ignored.
 * @param isShared true if other sockets of this machine may have the same port; each gets every broadcast then
 */
export async function boundSocket(port: number, address: string, isShared: boolean): Promise<Socket> {
  // Skips the look-up, which numeric addresses do not need, so that it may listen at once.
  const lookup = isIPv4(address) ? ipv4Unresolved : undefined;
  const socket = createSocket({ type: 'udp4', reuseAddr: isShared, lookup });
  try {
    const listening = once(socket, 'listening');
    socket.bind({ port, address, exclusive: true });
    await listening;
  } catch (error) {
    socket.close();
    throw error;
  }
  socket.on('error', () => undefined);
  return socket;
}

/**
 * Limits the datagrams that are inspected, of one sender and of all together. The address of a sender may be forged,
 * and a response may be longer than its request. Without a limit, the scanner would amplify floods.
 */
export class SenderLimit {
  readonly #ofOne: RateLimit;
  readonly #together: RateLimit;

  /**
   * @param ofOne datagrams a second of one sender
   * @param together datagrams a second of all senders; by default, the limits of responses
   */
  constructor(clock: Pick<Clock, 'monotonic'>, ofOne = responsesPerAddress, together = responsesTogether) {
    this.#ofOne = new RateLimit(clock, ofOne);
    this.#together = new RateLimit(clock, together);
  }

  /** Counts a datagram. Returns true if it may be inspected. */
  allows(address: string): boolean {
    return this.#ofOne.wait(address) === 0 && this.#together.wait('all') === 0;
  }
}
