/**
 * Connections by the address of their client. If there is no room for a new one, an address that has many connections
 * loses one to an address that has few. So nobody can lock others out with idle connections.
 */
export class AddressShares<C> {
  /** Connections by client, oldest first. */
  readonly #connections = new Map<string, Set<C>>();
  readonly #clients = new Map<C, string>();

  add(connection: C, client: string): void {
    const those = this.#connections.get(client) ?? new Set();
    this.#connections.set(client, those.add(connection));
    this.#clients.set(connection, client);
  }

  /** Removes a connection. Returns true if it was known. */
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

  /** Number of connections. */
  get size(): number {
    return this.#clients.size;
  }

  /** Returns the number of connections of the client of this one. */
  countOf(connection: C): number {
    return this.of(this.#clients.get(connection) ?? '').size;
  }

  /** Returns the connections of a client, oldest first. */
  of(client: string): ReadonlySet<C> {
    return this.#connections.get(client) ?? new Set();
  }

  /**
   * Returns the connections of the client that has the most, oldest first: one of them is to make room for a new
   * connection of `newcomer`. Empty if nobody has more than the newcomer would have then.
   */
  largest(newcomer: string): ReadonlySet<C> {
    let largest: ReadonlySet<C> = new Set();
    for (const those of this.#connections.values()) if (those.size > largest.size) largest = those;
    return largest.size > this.of(newcomer).size + 1 ? largest : new Set();
  }
}

/** Prefix of IPv4 addresses in a dual-stack listener. */
const mapped = '::ffff:';

/** Returns an address as it is written without a dual-stack listener. */
export function plainAddress(address: string): string {
  return address.startsWith(mapped) ? address.slice(mapped.length) : address;
}

/**
 * Returns the client of an address: the IPv4 address, or the /64 network of an IPv6 address, in which a client can
 * choose addresses.
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
