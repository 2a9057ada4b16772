import type { Clock } from '@azimuth/device';

const mostClients = 10_000;

/** How an IPv4 address looks to a listener for both kinds. */
const mapped = '::ffff:';

/** At most so many requests a second from one client address, with a second's worth in store. */
export class RateLimit {
  readonly #clock: Clock;
  readonly #perSecond: number;
  readonly #clients = new Map<string, { tokens: number; at: number }>();

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
  }

  /** Takes one request into account: 0 where it may be served, else the seconds after which to come back. */
  wait(address: string): number {
    const client = address.startsWith(mapped) ? address.slice(mapped.length) : address;
    const now = this.#clock.monotonic();
    const found = this.#clients.get(client);
    const most = Math.max(1, this.#perSecond);
    const tokens = Math.min(
      most,
      found === undefined ? most : found.tokens + ((now - found.at) / 1000) * this.#perSecond,
    );
    this.#clients.delete(client);
    this.#clients.set(client, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
    this.#forgetOldest();
    return tokens >= 1 ? 0 : Math.ceil((1 - tokens) / this.#perSecond);
  }

  #forgetOldest(): void {
    if (this.#clients.size <= mostClients) return;
    const [oldest] = this.#clients.keys();
    if (oldest !== undefined) this.#clients.delete(oldest);
  }
}
