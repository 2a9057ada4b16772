import type { Clock, Log } from '@azimuth/device';
import { inWords, type Loss } from './loss.js';
import type { StreamTally } from './stream-tally.js';

/**
 * How long (ms) nothing must fail before sending counts as working again. Refusals come back later than what they
 * refuse, and systems tell of a host that is not there every three seconds.
 */
const quiet = 5000;

interface Facts {
  /** The stream, in words for the log. */
  readonly words: string;
  readonly destination: string;
  readonly tally: StreamTally;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Counts what becomes of the telegrams of a stream on their way to one destination. The log hears when they begin to be
 * lost, and when they get through again, whatever happens in between.
 */
export class Sending {
  readonly #facts: Facts;
  #isFailing = false;
  #lastFailure = 0;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  sent(bytes: number): void {
    const { tally, words, destination, clock, log } = this.#facts;
    tally.telegrams += 1;
    tally.bytes += bytes;
    if (!this.#isFailing || clock.monotonic() - this.#lastFailure < quiet) return;
    this.#isFailing = false;
    log.info(`${words}: telegrams get through again`, { destination });
  }

  failed(loss: Loss, error?: Error): void {
    const { tally, words, destination, clock, log } = this.#facts;
    tally.losses.add(loss);
    this.#lastFailure = clock.monotonic();
    if (this.#isFailing) return;
    this.#isFailing = true;
    const reason = error === undefined ? inWords(loss) : `${inWords(loss)} (${error.message})`;
    log.warn(`${words}: telegrams do not get through`, { destination, reason });
  }
}
