import type { Clock } from '@azimuth/device';
import { RateLimit } from '@azimuth/http';
import { answersPerAddress, answersTogether } from './limits.js';

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
