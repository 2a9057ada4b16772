import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isEverywhere } from '../network/place.js';

/** Where a listener is reached, and where that is told. */
export interface Neighbourhood {
  /** At least one; IPv6 for a listener on its loopback. */
  readonly addresses: readonly string[];
  /** The IPv4 address of this machine in whose network it is told; undefined for all of them. */
  readonly at: string | undefined;
}

/** Of a listener at this host; undefined where it is in no network of IPv4, in which alone is told. */
export async function neighbourhoodOf(host: string): Promise<Neighbourhood | undefined> {
  if (isEverywhere(host)) return { addresses: ownAddresses(), at: undefined };
  // Whoever reaches it is on this machine, and hears what is told on its loopback.
  if (host === '::1') return { addresses: [host], at: '127.0.0.1' };
  if (isIP(host) === 6) return undefined;
  if (isIP(host) === 4) return { addresses: [host], at: host };
  try {
    const { address } = await lookup(host, { family: 4 });
    return { addresses: [address], at: address };
  } catch {
    return undefined;
  }
}

function ownAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces())
    .flatMap((interfaces) => interfaces ?? [])
    .filter(({ family }) => family === 'IPv4');
  const outside = all.filter(({ internal }) => !internal);
  return (outside.length > 0 ? outside : all).map(({ address }) => address);
}
