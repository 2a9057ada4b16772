import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

const everyAddress: readonly string[] = ['0.0.0.0', '::'];

/** Does a listener there have all addresses of this machine? */
export function isEverywhere(host: string): boolean {
  return everyAddress.includes(host);
}

/** The IPv4 addresses under which a listener at this host is reached; none where there are none. */
export async function addressesOf(host: string): Promise<readonly string[]> {
  if (isEverywhere(host)) return ownAddresses();
  if (host === '::1') return ['127.0.0.1'];
  if (isIP(host) === 6) return [];
  if (isIP(host) === 4) return [host];
  try {
    return [(await lookup(host, { family: 4 })).address];
  } catch {
    return [];
  }
}

function ownAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces())
    .flatMap((interfaces) => interfaces ?? [])
    .filter(({ family }) => family === 'IPv4');
  const outside = all.filter(({ internal }) => !internal);
  return (outside.length > 0 ? outside : all).map(({ address }) => address);
}
