import { BlockList } from 'node:net';
import { networkInterfaces } from 'node:os';

// A socket that has joined a multicast group hears it on every network interface on which any program of the machine has
// joined it. So the senders are compared with the networks of the scanner's address.

/** The networks of these addresses of this machine, as a list of what is in them. */
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
 * Tells whether multicast from a sender can have come over the network of `host`, an address of this machine: not if the
 * sender is in another network of the machine. On loopback, only senders on loopback can.
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
