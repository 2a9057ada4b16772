import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { UnreachableError } from '@azimuth/client';
import { broadcastOf } from '@azimuth/client/discover';

/** How this computer and a scanner see each other. */
export interface Route {
  /** The address of this computer that the scanner sees. */
  readonly own: string;
  /** Is the scanner on this computer? */
  readonly local: boolean;
}

/** The route to the scanner at a URL; nothing is sent. @throws UnreachableError where there is none. */
export async function routeTo(url: string): Promise<Route> {
  const socket = createSocket('udp4');
  try {
    socket.connect(9, hostOf(url));
    await once(socket, 'connect');
    const own = socket.address().address;
    return { own, local: own === socket.remoteAddress().address };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnreachableError(url, `there is no way to it over IPv4 (${reason})`, error);
  } finally {
    socket.close();
  }
}

export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Does a datagram that a scanner sends to this address come here? Broadcasts do. */
export function isHere(address: string, { own, local }: Route): boolean {
  if (address.startsWith('127.')) return local;
  if (address === own || address === '255.255.255.255') return true;
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family }) => family === 'IPv4')
    .some((at) => at.address === address || broadcastOf(at.address, at.netmask) === address);
}

export function isMulticast(address: string): boolean {
  const first = Number(address.split('.')[0]);
  return first >= 224 && first <= 239;
}
