/** Prefix of IPv4 addresses in a dual-stack listener. */
const mapped = '::ffff:';

/** An address as it is written without a dual-stack listener. */
export function plainAddress(address: string): string {
  return address.startsWith(mapped) ? address.slice(mapped.length) : address;
}

/**
 * Whose connection it is: the IPv4 address, or the network of 64 bits of an IPv6 address, in which a client can choose
 * addresses.
 */
export function clientOf(remoteAddress: string | undefined): string {
  const address = plainAddress(remoteAddress ?? '');
  if (!address.includes(':')) return address;
  const [before = '', after] = address.split('::');
  const groups = before.split(':').filter((group) => group !== '');
  if (after !== undefined) {
    const rest = after.split(':').filter((group) => group !== '');
    while (groups.length + rest.length < 8) groups.push('0');
    groups.push(...rest);
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
}
