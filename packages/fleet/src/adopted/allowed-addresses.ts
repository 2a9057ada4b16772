import { type LookupAddress, type LookupOptions, lookup as lookupOfSystem } from 'node:dns';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';

/** An address to which a fleet sends nothing. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
  readonly code = 'FORBIDDEN_ADDRESS';
}

/**
 * Addresses that no scanner has. A fleet that forwards requests there would let its clients reach what only this computer
 * may reach: services for the settings of machines in clouds, other hosts of the link.
 */
const forbidden = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  forbidden.addSubnet(network, prefix, 'ipv4');
for (const address of ['100.100.100.200', '168.63.129.16', '192.0.0.192'])
  forbidden.addAddress(address, 'ipv4');
for (const [network, prefix] of [
  ['::', 128],
  ['fe80::', 10],
  ['ff00::', 8],
  ['fd00:ec2::', 32],
  ['fd20:ce::', 32],
  // Other forms of IPv4 addresses: NAT64, 6to4, Teredo.
  ['64:ff9b::', 96],
  ['2002::', 16],
  ['2001::', 32],
  ['::ffff:0:0:0', 96],
] as const)
  forbidden.addSubnet(network, prefix, 'ipv6');

interface Place {
  readonly host: string;
  readonly port: number;
}

/**
 * Decides where connections of a fleet to real scanners may go: to the URLs in the file of the operator, and there to no
 * address that a scanner cannot have, and not to the fleet itself.
 */
export class AllowedAddresses {
  readonly #ownPorts: () => readonly Place[];

  /** @param ownPorts ports of the fleet */
  constructor(ownPorts: () => readonly Place[]) {
    this.#ownPorts = ownPorts;
  }

  /** @throws ForbiddenAddress @param address IPv4 or IPv6 */
  check(address: string, port: number): void {
    const plain = unmapped(address);
    if (forbidden.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6'))
      throw new ForbiddenAddress(`${plain} is no address of a scanner: the fleet sends nothing there`);
    const isOwn = this.#ownPorts().some((own) => own.port === port && reaches(own.host, plain));
    if (isOwn) throw new ForbiddenAddress(`${plain}:${port} is the port of the fleet itself`);
  }

  /** Checks a URL whose host is an address. A name is checked when it is resolved. @throws ForbiddenAddress */
  checkUrl(url: string): void {
    const { hostname } = new URL(url);
    const host = hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0) this.check(host, portOf(url));
  }

  /**
   * Returns the resolver for connections to a URL. A name is resolved once for each connection, which goes to the address
   * that was checked.
   */
  lookupFor(url: string): LookupFunction {
    const port = portOf(url);
    return (hostname, options: LookupOptions, callback) => {
      lookupOfSystem(hostname, { ...options, all: true }, (error, found) => {
        if (error !== null) {
          callback(error, '', 0);
          return;
        }
        const { allowed, refusal } = this.#allowedOf(found, port);
        const [first] = allowed;
        if (first === undefined)
          callback(refusal ?? new ForbiddenAddress(`${hostname} has no address`), '', 0);
        else if (options.all === true) callback(null, [...allowed]);
        else callback(null, first.address, first.family);
      });
    };
  }

  /** If one address of a name is forbidden, the name is: nobody gives a scanner such an address beside its own. */
  #allowedOf(
    found: readonly LookupAddress[],
    port: number,
  ): { readonly allowed: readonly LookupAddress[]; readonly refusal?: ForbiddenAddress } {
    try {
      for (const { address } of found) this.check(address, port);
      return { allowed: found };
    } catch (error) {
      if (!(error instanceof ForbiddenAddress)) throw error;
      return { allowed: [], refusal: error };
    }
  }
}

function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

/** Returns the IPv4 address in an IPv6 address that stands for one: `::ffff:10.0.0.1`, also in hexadecimal digits. */
function unmapped(address: string): string {
  if (isIPv4(address)) return address;
  const [, mapped] =
    /^::(?:ffff:)?(.+)$/.exec(new URL(`http://[${withoutZone(address)}]`).hostname.slice(1, -1)) ?? [];
  if (mapped === undefined) return withoutZone(address);
  const [high, low] = mapped.split(':').map((part) => Number.parseInt(part, 16));
  if (high === undefined || low === undefined || mapped.split(':').length !== 2) return withoutZone(address);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function withoutZone(address: string): string {
  return address.replace(/%.*$/, '');
}

/** True if a listener at this host gets connections to this address. */
function reaches(host: string, address: string): boolean {
  if (host === address) return true;
  const isEverywhere = host === '0.0.0.0' || host === '::' || host === '[::]';
  const isNamed = isIP(host.replace(/^\[|\]$/g, '')) === 0;
  const isLoopback = address.startsWith('127.') || address === '::1';
  if (isNamed) return isLoopback;
  if (!isEverywhere) return false;
  if (isLoopback) return true;
  return Object.values(networkInterfaces()).some((of) => of?.some((one) => one.address === address));
}
