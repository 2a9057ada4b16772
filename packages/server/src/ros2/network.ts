import { lookup } from 'node:dns/promises';
import { BlockList, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { mostInterfaces } from './limits.js';

/** Where the scanner is on the network, as seen by DDS. */
export interface RosNetwork {
  /** The address that the socket is bound to. */
  readonly bindTo: string;
  /** The addresses under which others reach it, one for each network interface. Multicast uses these interfaces. */
  readonly addresses: readonly string[];
  /** Addresses to announce the scanner at, beside the multicast group. */
  readonly peers: readonly string[];
  /** Peers that were asked for, but that a scanner on loopback cannot reach. */
  readonly outOfReach: readonly string[];
  /** Does it talk to this machine only? */
  readonly isLoopback: boolean;
  /** Is the network cable out? Undefined if it always stays in. */
  readonly isDown?: () => boolean;
}

const loopback = '127.0.0.1';

/**
 * The network of a scanner that listens at this host; undefined if its name has no IPv4 address.
 * @param peers further addresses to announce the scanner at
 */
export async function networkOf(host: string, peers: readonly string[]): Promise<RosNetwork | undefined> {
  const address = await addressOf(host);
  if (address === undefined) return undefined;
  if (address === '0.0.0.0') {
    const addresses = ownAddresses();
    return { bindTo: address, addresses, peers, outOfReach: [], isLoopback: false };
  }
  const one = { bindTo: address, addresses: [address] };
  if (!isOfLoopback(address)) return { ...one, peers, outOfReach: [], isLoopback: false };
  const near = new Set([loopback, address, ...peers.filter(isOfLoopback)]);
  const outOfReach = peers.filter((peer) => !isOfLoopback(peer));
  return { ...one, peers: [...near], outOfReach, isLoopback: true };
}

/** Has this machine other addresses now, at which the scanner should be reached? */
export function hasMoved({ bindTo, addresses }: RosNetwork): boolean {
  return bindTo === '0.0.0.0' && ownAddresses().join() !== addresses.join();
}

function isOfLoopback(address: string): boolean {
  return address.startsWith('127.');
}

async function addressOf(host: string): Promise<string | undefined> {
  if (host === '::') return '0.0.0.0';
  if (host === '::1' || host === 'localhost') return loopback;
  if (isIPv4(host)) return host;
  try {
    return (await lookup(host, { family: 4 })).address;
  } catch {
    return undefined;
  }
}

/** The IPv4 addresses of the networks of this machine; loopback if there are none. */
function ownAddresses(): readonly string[] {
  const addresses = Object.values(networkInterfaces())
    .flatMap((interfaces) => interfaces ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
  return addresses.length === 0 ? [loopback] : addresses.slice(0, mostInterfaces);
}

/**
 * The networks of these addresses of this machine, as a list of what is in them. A socket that has joined a group hears it
 * on every network interface on which any program has joined it.
 */
export function networksOf(addresses: readonly string[], interfaces = networkInterfaces()): BlockList {
  const networks = new BlockList();
  for (const { address, cidr, family } of Object.values(interfaces).flatMap((all) => all ?? [])) {
    const [, bits] = cidr?.split('/') ?? [];
    if (family !== 'IPv4' || bits === undefined || !addresses.includes(address)) continue;
    networks.addSubnet(address, Number(bits));
  }
  for (const address of addresses) if (address.startsWith('127.')) networks.addSubnet('127.0.0.0', 8);
  return networks;
}
