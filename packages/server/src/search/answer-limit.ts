import type { Clock } from '@azimuth/device';
import { RateLimit } from '../http/rate-limit.js';

const perAddress = 20;
const together = 200;

/**
 * How often the device search answers. Whoever asks may have stated somebody else's address: nobody gets more than 20
 * answers a second, and all together no more than 200.
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
