import type { Clock } from '@azimuth/device';
import { RateLimit } from '../http/rate-limit.js';

const perAddress = 20;
const together = 200;

/**
 * How many requests are answered, by the device search and by DNS-SD each: 20 a second of one address, and 200 of all
 * together. Whoever asks may have stated somebody else's address, and an answer may be two datagrams.
 */
export class AnswerLimit {
  readonly #perAddress: RateLimit;
  readonly #together: RateLimit;

  constructor(clock: Clock) {
    this.#perAddress = new RateLimit(clock, perAddress);
    this.#together = new RateLimit(clock, together);
  }

  /** Takes a request into account: may it be answered? */
  allows(address: string): boolean {
    return this.#perAddress.wait(address) === 0 && this.#together.wait('all') === 0;
  }
}
