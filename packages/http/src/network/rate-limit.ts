import type { PortClock } from '../interfaces.js';
import { mostRatedClients } from '../limits.js';
import { plainAddress } from './address-shares.js';

/**
 * Limits the requests a second of each client address. After a pause, a client may send the requests of one second at
 * once.
 */
export class RateLimit {
  readonly #clock: Pick<PortClock, 'monotonic'>;
  readonly #perSecond: number;
  readonly #clients = new Map<string, { tokens: number; at: number }>();

  constructor(clock: Pick<PortClock, 'monotonic'>, perSecond: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
  }

  /** Counts one request. Returns 0 if it may be served, otherwise the seconds to wait. */
  wait(address: string): number {
    const client = plainAddress(address);
    const now = this.#clock.monotonic();
    const known = this.#clients.get(client);
    const most = Math.max(1, this.#perSecond);
    const tokens = Math.min(
      most,
      known === undefined ? most : known.tokens + ((now - known.at) / 1000) * this.#perSecond,
    );
    this.#clients.delete(client);
    this.#clients.set(client, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
    this.#forgetOldest();
    return tokens >= 1 ? 0 : Math.ceil((1 - tokens) / this.#perSecond);
  }

  #forgetOldest(): void {
    if (this.#clients.size <= mostRatedClients) return;
    const [oldest] = this.#clients.keys();
    if (oldest !== undefined) this.#clients.delete(oldest);
  }
}
