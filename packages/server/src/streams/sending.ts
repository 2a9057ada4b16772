import type { Clock, Log } from '@azimuth/device';
import { inWords, type Loss } from './loss.js';
import { Outage } from './outage.js';
import type { StreamTally } from './stream-tally.js';

interface DeliveryOptions {
  /** The stream, in words for the log. */
  readonly words: string;
  readonly destination: string;
  readonly tally: StreamTally;
  readonly clock: Clock;
  readonly log: Log;
}

/** One of several who receive the same telegrams. */
interface Receiver {
  /** As the log is to call it. */
  readonly name: string;
}

/**
 * Counts what becomes of the telegrams of a stream on their way to one destination. The log hears when they begin to be
 * lost, and when they get through again: for all who receive them, and for those to whom alone they are lost.
 */
export class Sending {
  readonly #options: DeliveryOptions;
  readonly #outage: Outage;
  readonly #outages = new WeakMap<Receiver, Outage>();

  constructor(options: DeliveryOptions) {
    this.#options = options;
    const { words, destination, clock, log } = options;
    this.#outage = new Outage({
      clock,
      begins: (reason) => log.warn(`${words}: telegrams do not get through`, { destination, reason }),
      ends: () => log.info(`${words}: telegrams get through again`, { destination }),
    });
  }

  /** Whoever is to receive them can from now on. @param how goes on with the line of the log. */
  begins(how = ''): void {
    const { words, destination, log } = this.#options;
    log.info(`${words}: sent from now on${how}`, { destination });
  }

  sent(bytes: number): void {
    const { tally } = this.#options;
    tally.telegrams += 1;
    tally.bytes += bytes;
    this.#outage.through();
  }

  failed(loss: Loss, error?: Error): void {
    this.#options.tally.losses.add(loss);
    this.#outage.lost(error === undefined ? inWords(loss) : `${inWords(loss)} (${error.message})`);
  }

  sentTo(receiver: Receiver, bytes: number): void {
    this.sent(bytes);
    this.#outages.get(receiver)?.through();
  }

  /** Lost to this one alone. */
  missedBy(receiver: Receiver, loss: Loss): void {
    this.#options.tally.losses.add(loss);
    this.#outageOf(receiver).lost(inWords(loss));
  }

  #outageOf(receiver: Receiver): Outage {
    const known = this.#outages.get(receiver);
    if (known !== undefined) return known;
    const { words, destination, clock, log } = this.#options;
    const client = receiver.name;
    const outage = new Outage({
      clock,
      begins: (reason) =>
        log.warn(`${words}: telegrams are lost to one client alone`, { destination, client, reason }),
      ends: () => log.info(`${words}: this client gets every telegram again`, { destination, client }),
    });
    this.#outages.set(receiver, outage);
    return outage;
  }
}
