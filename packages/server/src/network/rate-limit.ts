import type { Clock } from '@azimuth/device';
import { plainAddress } from './client-address.js';
import { answersPerAddress, answersTogether, mostRatedClients } from './limits.js';

/** Limits the requests a second of each client address. After a pause, a client may send a second's worth at once. */
export class RateLimit {
  readonly #clock: Clock;
  readonly #perSecond: number;
  readonly #clients = new Map<string, { tokens: number; at: number }>();

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
  }

  /** Counts one request. Returns 0 if it may be served, otherwise the seconds to wait. */
  wait(address: string): number {
    const client = plainAddress(address);
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
    if (this.#clients.size <= mostRatedClients) return;
    const [oldest] = this.#clients.keys();
    if (oldest !== undefined) this.#clients.delete(oldest);
  }
}

/**
 * Limits the answers over UDP, separately for the device search and for DNS-SD. A request may have a forged sender
 * address, and an answer may be two datagrams: without a limit, the scanner would amplify floods.
 */
export class AnswerLimit {
  readonly #perAddress: RateLimit;
  readonly #together: RateLimit;

  constructor(clock: Clock) {
    this.#perAddress = new RateLimit(clock, answersPerAddress);
    this.#together = new RateLimit(clock, answersTogether);
  }

  /** Counts a request. Returns whether it may be answered. */
  allows(address: string): boolean {
    return this.#perAddress.wait(address) === 0 && this.#together.wait('all') === 0;
  }
}
