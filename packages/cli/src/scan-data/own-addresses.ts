import { BlockList, isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Every address of loopback is this computer, and not only 127.0.0.1. */
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** All addresses of this computer, in all of its networks. */
export function addressesHere(): readonly string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => address);
}

/** Is a host this computer by its loopback: `localhost`, `127.0.3.4`, `[::1]`, `::ffff:127.0.0.1`? */
export function isLoopback(host: string): boolean {
  const address = bare(host);
  if (isIP(address) === 0) return /^(?:.+\.)?localhost\.?$/i.test(address);
  return loopback.check(address, familyOf(address));
}

/**
 * Is a host this computer? Names other than `localhost` are not looked up.
 * @param host as in a URL, or as the system writes it: `[fe80::1]`, `fe80::1%eth0`
 * @param addresses those of this computer
 */
export function isThisComputer(host: string, addresses: readonly string[] = addressesHere()): boolean {
  if (isLoopback(host)) return true;
  const address = bare(host);
  if (isIP(address) === 0) return false;
  const own = new BlockList();
  for (const one of addresses.map(bare)) own.addAddress(one, familyOf(one));
  return own.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

/** Without the brackets of a URL, and without the network interface. */
function bare(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '');
}
