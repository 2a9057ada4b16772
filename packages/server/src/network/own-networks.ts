import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { asIPv4 } from './udp.js';

// Networks of this machine. A socket that has joined a multicast group receives its datagrams on every network
// interface on which any program of the machine has joined it. So the senders are compared with the networks of the
// scanner's address.

/** Returns the networks of these addresses of this machine, as a list of their addresses. */
export function networksOf(addresses: readonly string[], interfaces = networkInterfaces()): BlockList {
  const networks = new BlockList();
  for (const { address, cidr, family } of Object.values(interfaces).flatMap((all) => all ?? [])) {
    const [, bits] = cidr?.split('/') ?? [];
    if (family !== 'IPv4' || bits === undefined || !addresses.includes(address)) continue;
    networks.addSubnet(address, Number(bits));
  }
  for (const address of addresses) if (isOfLoopback(address)) networks.addSubnet('127.0.0.0', 8);
  return networks;
}

/**
 * Returns true if multicast from a sender can have come over the network of `host`, an address of this machine. It
 * cannot if the sender is in another network of the machine. On loopback, only senders on loopback can.
 */
export function hearingAt(host: string, interfaces = networkInterfaces()): (sender: string) => boolean {
  const own = networksOf([host], interfaces);
  if (isOfLoopback(host)) return (sender) => own.check(sender);
  const addresses = Object.values(interfaces).flatMap((all) => (all ?? []).map(({ address }) => address));
  const others = networksOf(
    addresses.filter((address) => address !== host),
    interfaces,
  );
  return (sender) => own.check(sender) || !others.check(sender);
}

export function isOfLoopback(address: string): boolean {
  return address.startsWith('127.');
}

/** Returns the IPv4 address of a host; undefined if it has none. */
export async function addressOf(host: string): Promise<string | undefined> {
  const address = asIPv4(host);
  if (isIP(address) !== 0) return isIP(address) === 4 ? address : undefined;
  try {
    return (await lookup(address, { family: 4 })).address;
  } catch {
    return undefined;
  }
}

/** Returns the IPv4 addresses of this machine in networks with others; loopback if there are none. */
export function ownAddresses(): readonly string[] {
  const addresses = Object.values(networkInterfaces())
    .flatMap((interfaces) => interfaces ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
  return addresses.length === 0 ? ['127.0.0.1'] : addresses;
}
