import type { Clock } from '@azimuth/device';
import { repeatedTime } from './limits.js';

/**
 * Tells new requests of a reader from repeated ones by their counts. A reader that has lost sight of
 * the scanner for a while, and finds it again, counts from the beginning.
 */
export class RequestCount {
  readonly #clock: Clock;
  #last = -1;
  #at = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  take(count: number): 'new' | 'repeated' | 'restarted' {
    const now = this.#clock.monotonic();
    const isNew = count > this.#last;
    if (!isNew && now - this.#at < repeatedTime) return 'repeated';
    this.#last = count;
    this.#at = now;
    return isNew ? 'new' : 'restarted';
  }
}
