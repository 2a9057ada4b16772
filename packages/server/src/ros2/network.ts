import { addressOf, isOfLoopback, ownAddresses } from '../network/own-networks.js';
import { mostInterfaces } from './limits.js';

/** Addresses of the scanner on the network, as seen by DDS. */
export interface RosNetwork {
  /** Address that the socket is bound to. */
  readonly bindTo: string;
  /** Addresses under which others reach it, one for each network interface. Multicast uses these interfaces. */
  readonly addresses: readonly string[];
  /** Addresses to announce the scanner at, beside the multicast group. */
  readonly peers: readonly string[];
  /** Requested peers that a scanner on loopback cannot reach. */
  readonly outOfReach: readonly string[];
  /** True if it talks to this machine only. */
  readonly isLoopback: boolean;
  /** True if the network cable is out. Undefined if it always stays in. */
  readonly isDown?: () => boolean;
}

const loopback = '127.0.0.1';

/**
 * Returns the network of a scanner that listens at this host; undefined if its name has no IPv4 address.
 * @param peers further addresses to announce the scanner at
 */
export async function networkOf(host: string, peers: readonly string[]): Promise<RosNetwork | undefined> {
  const address = await addressOf(host);
  if (address === undefined) return undefined;
  if (address === '0.0.0.0') {
    const addresses = usedAddresses();
    return { bindTo: address, addresses, peers, outOfReach: [], isLoopback: false };
  }
  const one = { bindTo: address, addresses: [address] };
  if (!isOfLoopback(address)) return { ...one, peers, outOfReach: [], isLoopback: false };
  const near = new Set([loopback, address, ...peers.filter(isOfLoopback)]);
  const outOfReach = peers.filter((peer) => !isOfLoopback(peer));
  return { ...one, peers: [...near], outOfReach, isLoopback: true };
}

/** Returns true if this machine has other addresses now, at which the scanner should be reached. */
export function haveAddressesChanged({ bindTo, addresses }: RosNetwork): boolean {
  return bindTo === '0.0.0.0' && usedAddresses().join() !== addresses.join();
}

function usedAddresses(): readonly string[] {
  return ownAddresses().slice(0, mostInterfaces);
}
