/**
 * Connections by the address of their client. If there is no room for a new one, an address that has many gives way to one
 * that has few: nobody can keep all others out with connections that do nothing.
 */
export class AddressShares<C> {
  /** By client, the oldest first. */
  readonly #connections = new Map<string, Set<C>>();
  readonly #clients = new Map<C, string>();

  add(connection: C, client: string): void {
    const those = this.#connections.get(client) ?? new Set();
    this.#connections.set(client, those.add(connection));
    this.#clients.set(connection, client);
  }

  /** Returns whether it was there. */
  delete(connection: C): boolean {
    const client = this.#clients.get(connection);
    if (client === undefined) return false;
    this.#clients.delete(connection);
    const those = this.#connections.get(client);
    those?.delete(connection);
    if (those?.size === 0) this.#connections.delete(client);
    return true;
  }

  get all(): Iterable<C> {
    return this.#clients.keys();
  }

  /** How many there are. */
  get size(): number {
    return this.#clients.size;
  }

  /** How many connections the client of this one has. */
  countOf(connection: C): number {
    return this.of(this.#clients.get(connection) ?? '').size;
  }

  /** The connections of a client, the oldest first. */
  of(client: string): ReadonlySet<C> {
    return this.#connections.get(client) ?? new Set();
  }

  /**
   * The connections of the client that has the most, the oldest first: one of them is to make room for a new connection of
   * `newcomer`. Empty if nobody has more than the newcomer would have then.
   */
  largest(newcomer: string): ReadonlySet<C> {
    let largest: ReadonlySet<C> = new Set();
    for (const those of this.#connections.values()) if (those.size > largest.size) largest = those;
    return largest.size > this.of(newcomer).size + 1 ? largest : new Set();
  }
}

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
